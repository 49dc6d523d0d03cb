// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    Where arenas and chunks are when threads end: src/allocator/core/qpoolregistry.h, core/qpoolorphans.h,
    models/qpoolthreadarenas.h and models/qpoolthreadlife.h.

    Threads allocate, free any chunk that the program holds, and idle, in any order. The first allocation attaches a
    thread to an orphan or to a new arena; later ones may borrow from an orphan. A thread frees its own chunks into
    its arena, others into its remote cache. Then it ends: it flushes, trims, and orphans its arena. After that it may
    free and allocate once each, as destructors of pthread keys do.

    Who pushes to an orphan visits it, without the registry's lock. So does who orphans an arena with a note, which is
    that its pending bytes are not zero. The lock guards the list of orphans, and the room: the orphans that have
    chunks for others. An arena that is lent stays in the list, and leaves the room.

    Chunks are bits. The first is alone in its page. When it is free and trimmed, the page goes to the source, and any
    arena may take it: the hardest case for the rule that nobody looks at the header of a page whose chunk he let go
    of. The others' pages stay with their arena, as if one more chunk of each were in use: an orphan can lend these.

    Properties
      P1  Who moves an arena's chunks has the arena: as owner or borrower, or as visitor.
      P2  The header that a free reads names an arena, and an arena has only chunks of its own.
      P3  When all threads have ended each arena is an orphan, and in the list of orphans exactly once.
      P4  Then no chunk is lost: each is with the program, or in the source, or in the pages of an orphan.
      P5  Then each orphan with chunks in its pages is in the room: they serve other threads.
      P6  No deadlock (spin's own check). A visitor takes the lock, so who has the lock waits for no visitor.

    Left to ownership.pml: parking, visits in steps and by trim(), who wins an arena that several want, and the order
    of a push, its note and the look at the state. So these are one step here: an exchange of the state; a push and
    its note; taking both; and what nobody sees half done for the lock. A visit that would find no note is left out.

    Not shown here: one memory, in one order; handover.pml and hasbacklog.pml have C++'s. That attach() waits a moment
    for visitors: it is a thread that attaches later. fork(), and running out of memory for a new arena.

    Seeded errors, each of which must be found: ADOPT_WITHOUT_LOCK, UNLINK_THE_FIRST (instead of the adopted one),
    WAIT_WITH_LOCK (for a visitor), LENT_LISTED_AGAIN, LENT_FREED_AS_OWN, LENT_KEPT_AT_END, NO_FLUSH_AT_END,
    NO_TRIM, ORPHAN_BEFORE_TRIM, LATE_REMOTE_CACHE, NO_NOTE_AFTER_LATE_ALLOCATION, HEADER_AFTER_PUSH,
    ORPHAN_WITHOUT_ROOM, VISITED_WITHOUT_ROOM (the visitor lists nothing), VISITED_LEAVES_ROOM (as the adopted do).
*/

#define ARENAS 3 /* the last for a thread that finds one orphan lent and the other visited */
#define LONE 1 /* the chunk that is alone in its page */
#define ALL 7
mtype = { Owned, Orphaned, Visited }

/* Sets of chunks. Those of arenas are at the arenas' numbers, from 1 on. */
byte magazine[ARENAS + 1], pages[ARENAS + 1], backlog[ARENAS + 1];
byte program, source = ALL;
byte header[5]; /* page->owner: an arena, or 0; at the chunk's bit */
mtype state[ARENAS + 1] = Owned;
bit note[ARENAS + 1];
bit locked;
byte nextOrphan[ARENAS + 1]; /* that of 0 is the first orphan */
byte room; /* a set of arenas */
byte arenaCount;

#define BIT(arena) (1 << (arena))
#define STOCK(arena) (magazine[arena] | pages[arena] | backlog[arena])
#define IS_OWN(arena, chunk) (!(STOCK(arena) & chunk) || header[chunk] == arena)

/* Trim::now() of the owner or borrower, Trim::visit() */
inline trimArena(arena, who)
{
    atomic {
        assert(state[arena] == who); /* P1 */
        assert(IS_OWN(arena, 1) && IS_OWN(arena, 2) && IS_OWN(arena, 4)); /* P2 */
        note[arena] = 0;
        pages[arena] = STOCK(arena);
        magazine[arena] = 0; backlog[arena] = 0;
        header[LONE] = (pages[arena] & LONE -> 0 : header[LONE]);
        source = source | (pages[arena] & LONE);
        pages[arena] = pages[arena] & ~LONE
    }
}

/* ArenaRegistry::visit() */
inline visit(arena)
{
    do
    :: atomic { note[arena] && state[arena] == Orphaned -> state[arena] = Visited };
        trimArena(arena, Visited);
        if
#ifndef VISITED_WITHOUT_ROOM
        :: pages[arena] && !(room & BIT(arena)) -> atomic { !locked -> room = room | BIT(arena) }
#endif
        :: else
        fi;
        state[arena] = Orphaned
    :: else -> break
    od
}

/* ArenaRegistry::release(), endBorrowing(). What is lent is in the list. */
inline release(arena, isLent)
{
    atomic { !locked ->
        if
#ifndef LENT_LISTED_AGAIN
        :: isLent
#endif
        :: else -> nextOrphan[arena] = nextOrphan[0]; nextOrphan[0] = arena
        fi;
#ifndef ORPHAN_WITHOUT_ROOM
        room = room | (pages[arena] -> BIT(arena) : 0);
#endif
        state[arena] = Orphaned
    };
    visit(arena);
    arena = 0
}

/* The end of having an arena */
inline trimAndRelease(arena, isLent)
{
    if
    :: arena ->
#ifdef ORPHAN_BEFORE_TRIM
        state[arena] = Orphaned;
#endif
#ifndef NO_TRIM
        trimArena(arena, Owned);
#endif
        release(arena, isLent)
    :: else
    fi
}

/* ArenaRegistry::acquire() */
inline acquire(arena)
{
#ifndef ADOPT_WITHOUT_LOCK
    atomic { !locked -> locked = 1 };
#endif
    do
    :: atomic { nextOrphan[place] == 0 -> arenaCount++; arena = arenaCount }; break
    :: else ->
        arena = nextOrphan[place];
#ifdef WAIT_WITH_LOCK
        state[arena] != Visited;
#endif
        if
        :: atomic { state[arena] == Orphaned -> state[arena] = Owned };
#ifdef UNLINK_THE_FIRST
            place = 0;
#endif
            atomic { nextOrphan[place] = nextOrphan[arena]; nextOrphan[arena] = 0 };
            break
        :: else -> place = arena /* visited or lent */
        fi
    od;
    atomic { place = 0; locked = 0 }
}

/* ThreadArenas::borrow(), but for the allocation. Room::take() is in an order of its own. */
inline borrow()
{
    atomic { !locked ->
        for (place : 1 .. arenaCount) {
            if
            :: (room & BIT(place)) && state[place] == Orphaned ->
                state[place] = Owned;
                room = room & ~BIT(place);
                before = lender; lender = place; break
#ifdef VISITED_LEAVES_ROOM
            :: state[place] == Visited -> room = room & ~BIT(place)
#endif
            :: state[place] == Owned -> room = room & ~BIT(place)
            :: else
            fi
        };
        place = 0
    };
    trimAndRelease(before, true)
}

/* Any chunk of a set */
inline pick(from)
{
    if
    :: from & 1 -> chunk = 1
    :: from & 2 -> chunk = 2
    :: from & 4 -> chunk = 4
    fi;
    from = from & ~chunk
}

/* SlowPath::allocate(), SlowPath::allocateFromStock(): fills the magazine, and takes a chunk out of it. */
inline allocateFrom(arena)
{
    atomic {
        assert(state[arena] == Owned); /* P1 */
        magazine[arena] = STOCK(arena);
        pages[arena] = 0; backlog[arena] = 0;
        if
        :: magazine[arena] -> pick(magazine[arena])
        :: !magazine[arena] && source -> pick(source); header[chunk] = arena
        :: else /* null */
        fi;
        program = program | chunk; chunk = 0
    }
}

/* RemoteCache::send() and ArenaRegistry::pushed() */
inline flush()
{
    if
    :: box ->
        atomic { owner = header[box]; backlog[owner] = backlog[owner] | box; note[owner] = 1 };
#ifdef HEADER_AFTER_PUSH
        assert(header[box]); /* P2 */
#endif
        visit(owner);
        atomic { owner = 0; box = 0 }
    :: else
    fi
}

proctype thread()
{
    byte mine, lender; /* arenas: s_thread.arena, and its lender */
    byte box; /* s_thread.remoteCache, of one slot for one chunk */
    byte actions = 3; /* before the end */
    bit freedLate, allocatedLate;
    byte chunk, owner, place, before;

    do
    :: actions > 0 ->
        actions--;
        if
        :: true -> /* allocate */
            if
            :: mine == 0 -> acquire(mine)
            :: mine && STOCK(mine) == 0 && STOCK(lender) == 0 && room -> borrow()
            :: mine
            fi;
            if
            :: STOCK(mine) == 0 && STOCK(lender) -> allocateFrom(lender)
            :: else -> allocateFrom(mine)
            fi
        :: atomic { program -> pick(program); assert(header[chunk]) /* P2 */ };
            if
            :: header[chunk] == mine -> atomic { magazine[mine] = magazine[mine] | chunk; chunk = 0 }
#ifdef LENT_FREED_AS_OWN
            :: header[chunk] == lender -> atomic { magazine[mine] = magazine[mine] | chunk; chunk = 0 }
#endif
            :: else -> flush(); atomic { box = chunk; chunk = 0 }
            fi
        :: box || lender -> flush(); trimAndRelease(lender, true) /* idle */
        fi
    :: actions = 0; break
    od;

    /* ThreadArenas::threadEnded() */
#ifndef NO_FLUSH_AT_END
    flush();
#endif
#ifndef LENT_KEPT_AT_END
    trimAndRelease(lender, true);
#endif
    trimAndRelease(mine, false);

    /* Destructors of other pthread keys */
    do
    :: atomic { !freedLate && program -> freedLate = 1; pick(program); box = chunk; chunk = 0 };
#ifndef LATE_REMOTE_CACHE
        flush() /* ThreadArenas::pushHome() */
#endif
    :: atomic { !allocatedLate -> allocatedLate = 1 };
        acquire(mine);
        allocateFrom(mine);
#ifndef NO_NOTE_AFTER_LATE_ALLOCATION
        note[mine] = 1;
#endif
        release(mine, false)
    :: break
    od
}

init
{
    byte arena, count, found;

    atomic { run thread(); run thread() };
    atomic { _nr_pr == 1 ->
        found = program + source; /* a sum, so that no chunk is in two places */
        arena = nextOrphan[0];
        do
        :: arena ->
            count++;
            assert(count <= arenaCount && state[arena] == Orphaned); /* P3 */
            assert(pages[arena] == 0 || (room & BIT(arena))); /* P5 */
            found = found + pages[arena];
            arena = nextOrphan[arena]
        :: else -> break
        od;
        assert(count == arenaCount && found == ALL) /* P3, P4 */
    }
}
