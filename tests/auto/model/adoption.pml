// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    Where chunks are while threads attach, orphan, adopt and trim: src/allocator/core/qpoolregistry.h,
    core/qpoolremotecache.h, models/qpoolthreadarenas.h and models/qpoolthreadlife.h.

    Threads do, in any order and until they have had enough: allocate (which attaches them to
    an orphan or a new arena), free any chunk that the program holds (their own into their
    arena, others' into their remote cache), idle. Then each ends: it flushes, trims, and leaves its
    arena to the orphans. After that it may still free and allocate once each, as destructors of
    pthread keys do. The last of it is a trim() by a thread that owns nothing.

    A chunk stands for a page with one chunk: it leaves the arena when it is free and trimmed,
    and comes back to whatever arena asks the source next. That is the hardest case for the
    rule that nobody looks at the header of a page whose chunk he let go of. A backlog is a set
    here, pushed to and taken in one step: that its list does that is shown by backlog.pml.
    Acquiring and releasing an arena is under the registry's lock, as in the code, in as many steps
    as there are to see from outside. hasBacklog is true where the code's pendingBytes are not zero.

    An abstraction: in the code Ownership keeps threads off an arena that has a visitor, without the
    lock, and who pushed to an orphan visits it at once; ownership.pml shows that, and that no orphan
    is left with a backlog. Here a visit holds the lock, and orphanDebt, what was pushed to orphans,
    decides when there is one.

    Properties
      P1  An arena never has two users: the thread it is attached to, or a visitor.
      P2  The header that a free reads names an arena, and every chunk that an arena takes from
          its backlog is that arena's.
      P3  When all threads have ended each arena is in the list of orphans, exactly once.
      P4  Then no chunk is lost: each is with the program, in an arena, in a backlog or in the
          source, and trim() brings all but the program's to the source.
      P5  Then, if any orphan has a backlog, the debt of orphans is not zero. The code has no debt:
          see ownership.pml.
      P6  No deadlock (spin's own check).

    Not shown here: one memory, in one order. That no note is seen without the push it stands
    for is shown by hasbacklog.pml. fork() and running out of memory for a new arena are not
    modelled; running out of pages is.

    Seeded errors, each of which must be found: ADOPT_WITHOUT_LOCK, TRIM_WITHOUT_LOCK,
    ORPHAN_BEFORE_TRIM, NO_FLUSH_AT_END, LATE_REMOTE_CACHE, HEADER_AFTER_PUSH, DEBT_PAID_AFTER_TRIM,
    NO_DEBT_AT_ORPHANING, NO_NOTE_AFTER_LATE_ALLOCATION (what an orphan took in for it must be
    found).
*/

#ifndef THREADS
#  define THREADS 2
#endif
#ifndef CHUNKS
#  define CHUNKS 2
#endif
#ifndef ACTIONS
#  define ACTIONS 3 /* of a thread before its end */
#endif
#define ARENAS (THREADS + 1)
#define ALL ((1 << CHUNKS) - 1)
#define BATCH 2 /* chunks in a full remote cache */
#define LIMIT 2 /* chunks pushed to orphans, until the pusher trims them */
#define Nobody 0
#define Trimmer 99

/* Sets of chunks. */
byte home[ARENAS + 1];
byte backlog[ARENAS + 1];
byte program;
byte source = ALL;
byte away; /* in remote caches and in the hands of a free */

byte header[CHUNKS]; /* page->owner: an arena, or 0 */
bit hasBacklog[ARENAS + 1];
bit orphaned[ARENAS + 1];
byte user[ARENAS + 1]; /* for P1 */

byte lock;
byte orphans[ARENAS];
byte orphanCount;
byte arenaCount;
byte orphanDebt;
byte running = THREADS;

inline acquireLock() { atomic { lock == 0 -> lock = 1 } }
inline releaseLock() { lock = 0 }

inline enter(arena, who)
{
    atomic {
        assert(user[arena] == Nobody); /* P1 */
        user[arena] = who
    }
}

inline leave(arena, who)
{
    atomic {
        assert(user[arena] == who); /* P1 */
        user[arena] = Nobody
    }
}

/* ArenaRegistry::acquire() */
inline acquireArena(arena, who)
{
    if
    :: orphanCount > 0 ->
        arena = orphans[orphanCount - 1];
#ifdef ADOPT_WITHOUT_LOCK
        skip;
#endif
        atomic {
            if
            :: orphanCount > 0 -> orphanCount--; orphans[orphanCount] = 0
            :: else -> skip
            fi
        };
        orphaned[arena] = 0
    :: else ->
        atomic { arenaCount++; arena = arenaCount }
    fi;
    enter(arena, who)
}

inline releaseArena(arena, who)
{
    leave(arena, who);
    orphaned[arena] = 1;
#ifndef NO_DEBT_AT_ORPHANING
    if
    :: hasBacklog[arena] -> orphanDebt++
    :: else -> skip
    fi;
#endif
    atomic { orphans[orphanCount] = arena; orphanCount++ }
}

/* BacklogDrain::take() */
inline takeBacklog(arena)
{
    atomic {
        some = backlog[arena];
        backlog[arena] = 0;
        i = 0;
        do
        :: i < CHUNKS ->
            if
            :: some & (1 << i) -> assert(header[i] == arena) /* P2 */
            :: else -> skip
            fi;
            i++
        :: else -> break
        od;
        i = 0
    };
    atomic { home[arena] = home[arena] | some; some = 0 }
}

/* Trim::now() of the owner, Trim::visit() of a visitor */
inline trimArena(arena)
{
    hasBacklog[arena] = 0;
    takeBacklog(arena);
    atomic {
        some = home[arena];
        home[arena] = 0;
        i = 0;
        do
        :: i < CHUNKS ->
            if
            :: some & (1 << i) -> header[i] = 0
            :: else -> skip
            fi;
            i++
        :: else -> break
        od;
        i = 0
    };
    atomic { source = source | some; some = 0 }
}

/* A chunk out of an arena, if there is one to be had. */
inline allocateFrom(arena, who)
{
    assert(user[arena] == who); /* P1 */
    if
    :: home[arena] == 0 && backlog[arena] != 0 -> takeBacklog(arena)
    :: home[arena] == 0 && hasBacklog[arena] ->
        /* BacklogDrain::takeAll(): all bins' */
        hasBacklog[arena] = 0;
        takeBacklog(arena)
    :: home[arena] != 0 || (backlog[arena] == 0 && !hasBacklog[arena])
    fi;
    atomic {
        i = 0;
        do
        :: i < CHUNKS && (home[arena] & (1 << i)) ->
            home[arena] = home[arena] & ~(1 << i);
            program = program | (1 << i);
            break
        :: i < CHUNKS && !(home[arena] & (1 << i)) -> i++
        :: else ->
            i = 0;
            do
            :: i < CHUNKS && (source & (1 << i)) ->
                source = source & ~(1 << i);
                header[i] = arena;
                program = program | (1 << i);
                break
            :: i < CHUNKS && !(source & (1 << i)) -> i++
            :: else -> break /* null */
            od;
            break
        od;
        i = 0
    }
}

/* ArenaRegistry::visitAll(), of the orphans with a note */
inline trimOrphans()
{
#ifndef TRIM_WITHOUT_LOCK
    acquireLock();
#endif
#ifndef DEBT_PAID_AFTER_TRIM
    orphanDebt = 0;
#endif
    o = 0;
    do
    :: o < orphanCount ->
        t = orphans[o];
        if
        :: hasBacklog[t] ->
            enter(t, Trimmer);
            trimArena(t);
            leave(t, Trimmer)
        :: else -> skip
        fi;
        o++
    :: else -> break
    od;
#ifdef DEBT_PAID_AFTER_TRIM
    orphanDebt = 0;
#endif
    atomic { o = 0; t = 0 };
#ifndef TRIM_WITHOUT_LOCK
    releaseLock()
#endif
}

/* Backlog::push(), the note, ArenaRegistry::pushed() */
inline push(arena, set, count)
{
    atomic {
        backlog[arena] = backlog[arena] | set;
        away = away & ~set
    };
    hasBacklog[arena] = 1;
    if
    :: orphaned[arena] ->
        orphanDebt = orphanDebt + count;
        if
        :: orphanDebt >= LIMIT -> trimOrphans()
        :: else -> skip
        fi
    :: else -> skip
    fi
}

/* RemoteCache::send() */
inline flush()
{
    if
    :: boxCount > 0 ->
        atomic { sent = box; sentCount = boxCount; box = 0; boxCount = 0 };
        push(boxArena, sent, sentCount);
        atomic { boxArena = 0; sent = 0; sentCount = 0 }
    :: else -> skip
    fi
}

/* The program decides which of the chunks it holds goes. What its page's header says does not
   change before the push: read at once. */
inline pick()
{
    if
    :: program & 1 -> chunk = 0
    :: program & 2 -> chunk = 1
    :: program & 4 -> chunk = 2
    fi;
    program = program & ~(1 << chunk);
    away = away | (1 << chunk);
    owner = header[chunk];
    assert(owner != 0) /* P2 */
}

inline putIntoRemoteCache()
{
    if
    :: boxCount > 0 && boxArena != owner -> flush()
    :: else -> skip
    fi;
    atomic { boxArena = owner; box = box | (1 << chunk); boxCount++; owner = 0; chunk = 0 };
    if
    :: boxCount == BATCH -> flush()
    :: else -> skip
    fi
}

inline idle()
{
    flush();
    if
    :: mine != 0 && hasBacklog[mine] -> hasBacklog[mine] = 0; takeBacklog(mine)
    :: else -> skip
    fi;
    if
    :: orphanDebt != 0 -> trimOrphans()
    :: else -> skip
    fi
}

proctype thread(byte me)
{
    byte mine; /* s_thread.arena */
    byte box, boxCount, boxArena; /* s_thread.remoteCache, of one slot */
    byte actions;
    bit freedLate, allocatedLate;
    byte chunk, owner, sent, sentCount, some, i, o, t;

    do
    :: actions < ACTIONS ->
        actions++;
        if
        :: true -> /* allocate */
            if
            :: mine == 0 ->
#ifndef ADOPT_WITHOUT_LOCK
                acquireLock();
#endif
                acquireArena(mine, me);
#ifndef ADOPT_WITHOUT_LOCK
                releaseLock()
#endif
            :: else -> skip
            fi;
            allocateFrom(mine, me)
        :: atomic { program != 0 -> pick() }; /* free */
            if
            :: owner == mine ->
                atomic {
                    home[mine] = home[mine] | (1 << chunk);
                    away = away & ~(1 << chunk);
                    owner = 0;
                    chunk = 0
                }
            :: else -> putIntoRemoteCache()
            fi
        :: boxCount > 0 || orphanDebt != 0 || hasBacklog[mine] -> idle()
        fi
    :: break
    od;
    actions = 0;

    /* ThreadArenas::threadEnded() */
#ifndef NO_FLUSH_AT_END
    flush();
#endif
    if
    :: mine != 0 ->
#ifdef ORPHAN_BEFORE_TRIM
        acquireLock();
        leave(mine, me);
        orphaned[mine] = 1;
        atomic { orphans[orphanCount] = mine; orphanCount++ };
        releaseLock();
        enter(mine, me);
        trimArena(mine);
        leave(mine, me);
#else
        trimArena(mine);
        acquireLock();
        releaseArena(mine, me);
        releaseLock();
#endif
        mine = 0
    :: else -> skip
    fi;

    /* Destructors of other pthread keys. */
    do
    :: atomic { !freedLate && program != 0 -> freedLate = 1; pick() };
#ifdef LATE_REMOTE_CACHE
        putIntoRemoteCache()
#else
        push(owner, (1 << chunk), 1);
#  ifdef HEADER_AFTER_PUSH
        assert(header[chunk] == owner);
#  endif
        atomic { owner = 0; chunk = 0 }
#endif
    :: !allocatedLate ->
        allocatedLate = 1;
        acquireLock();
        acquireArena(mine, me);
        allocateFrom(mine, me);
#ifndef NO_NOTE_AFTER_LATE_ALLOCATION
        hasBacklog[mine] = 1;
#endif
        releaseArena(mine, me);
        releaseLock();
        mine = 0
    :: break
    od;
    running--
}

init
{
    byte some, i, o, t;

    atomic {
        i = 1;
        do
        :: i <= THREADS -> run thread(i); i++
        :: else -> break
        od;
        i = 0
    };

    atomic {
        running == 0 ->

        /* P3 */
        assert(lock == 0 && orphanCount == arenaCount);
        o = 0;
        do
        :: o < orphanCount ->
            assert(!(some & (1 << orphans[o])));
            assert(orphaned[orphans[o]] && user[orphans[o]] == Nobody);
            some = some | (1 << orphans[o]);
            o++
        :: else -> break
        od;
        some = 0;

        /* P5 */
        o = 1;
        do
        :: o <= arenaCount ->
            assert(orphanDebt != 0 || backlog[o] == 0);
            o++
        :: else -> break
        od;
        o = 0;

        /* P4 */
        assert(away == 0)
    };
    trimOrphans();
    assert((program | source) == ALL && (program & source) == 0)
}
