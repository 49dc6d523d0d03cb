// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    Park, visit, orphan, adopt: src/allocator/core/qpoolownership.h, and those that use it,
    core/qpoolregistry.h and models/qpoolthreadarenas.h. What becomes of several arenas and their chunks: adoption.pml.

    One arena. Its owner may park it and take it back, and ends:
    the arena is an orphan then, and another thread adopts it, and ends too, without parking it. A pusher frees
    chunks for it meanwhile: each push adds to the backlog, then to the pending bytes, and then looks who
    owns the arena, and visits an orphan. A thread that trims visits it, too. At last all is quiet.

    Properties
      P1  An arena never has two users: owner, adopter or visitor.
      P2  An owner that waits for a visitor gets its arena, whatever others do: while it waits a
          visitor takes one step and no visit begins but one that was begun before it waited.
      P3  When all is quiet and the arena an orphan, it has no backlog.
      P4  When all is quiet, a backlog has its note: pending bytes are not zero.
      P5  No deadlock (spin's own check).

    Variant: SHARED, with the seeded error UNPARK_WITHOUT_EXCHANGE. The arena is one that all threads share, see
    Supply: two takers have it in turns, and it is never an orphan. P1, P4 and P5 hold.

    Not shown here: one memory, in one order; where C++ would allow another, the operations are
    sequentially consistent, as Ownership says. That a push that crosses park() waits is not an
    error: nothing is asked of a parked arena but P4. fork() is not modelled.

    Seeded errors, each of which must be found: VISIT_WITHOUT_EXCHANGE, UNPARK_WITHOUT_EXCHANGE,
    ADOPT_VISITED, LEAVE_TO_PARKED, NO_LOOK_AFTER_ORPHAN, NO_LOOK_AFTER_LEAVE, NOTE_BEFORE_PUSH,
    NOTE_TAKEN_AFTER_LOOK, NO_NOTE_OF_REST, WANTED_IGNORED
*/

#define Owned 0
#define Parked 1
#define Orphaned 2
#define VisitedParked 3
#define VisitedOrphaned 4

byte state = Owned;
bit wanted;
byte user = 1; /* how many use it, for P1 */
byte backlog;
byte pending;
byte steps; /* begun while the owner waits */
byte pushers = 1;
byte others = 2; /* owner and adopter */
byte visitors = 1;

inline enter() { atomic { assert(user == 0); /* P1 */ user++ } }
inline leaveUse() { atomic { assert(user == 1); /* P1 */ user-- } }

/* Trim::visit(): one or two steps at the most. */
inline look(orphan)
{
#ifndef NOTE_TAKEN_AFTER_LOOK
    atomic { noted = pending; pending = 0 };
#endif
    if
    :: left = 1
    :: left = 2
    fi;
    do
    :: backlog == 0 -> break
    :: backlog > 0 && left == 0 ->
#ifndef NO_NOTE_OF_REST
        pending++;
#endif
        break
#ifndef WANTED_IGNORED
    :: backlog > 0 && left > 0 && wanted -> pending++; break
    :: backlog > 0 && left > 0 && !wanted ->
#else
    :: backlog > 0 && left > 0 ->
#endif
        atomic {
            assert(user == 1); /* P1 */
            backlog--;
            left--;
            if
            :: wanted -> steps++; assert(steps <= 1) /* P2 */
            :: else -> skip
            fi
        }
    od;
#ifdef NOTE_TAKEN_AFTER_LOOK
    pending = 0;
#endif
    atomic { left = 0; noted = 0 }
}

/* ArenaRegistry::visit() */
inline visit()
{
    do
    ::  was = state;
        if
        :: (was == Parked || was == Orphaned) && !wanted ->
#ifdef VISIT_WITHOUT_EXCHANGE
            state = (was == Parked -> VisitedParked : VisitedOrphaned);
            got = 1;
#else
            atomic {
                if
                :: state == was -> state = (was == Parked -> VisitedParked : VisitedOrphaned); got = 1
                :: else -> skip
                fi
            };
#endif
            if
            :: got ->
                enter();
                look(was == Orphaned);
                leaveUse();
#ifdef LEAVE_TO_PARKED
                state = Parked;
#else
                state = was;
#endif
                got = 0;
#ifndef NO_LOOK_AFTER_LEAVE
                if
                :: was == Orphaned && pending > 0 -> skip /* again */
                :: else -> break
                fi
#else
                break
#endif
            :: else -> break
            fi
        :: else -> break
        fi
    od;
    atomic { got = 0; was = 0 }
}

/* RemoteCache::send() and ArenaRegistry::pushed() */
proctype pusher(byte pushes)
{
    byte left, noted, was;
    bit got;

    do
    :: pushes > 0 ->
        pushes--;
#ifdef NOTE_BEFORE_PUSH
        pending++;
        backlog++;
#else
        backlog++;
        pending++;
#endif
        if
        :: state == Orphaned || state == VisitedOrphaned -> visit()
        :: state == Parked || state == VisitedParked ->
            if
            :: visit()
            :: skip
            fi
        :: else -> skip
        fi
    :: pushes == 0 -> break
    od;
    pushers--
}

/* trim() of another thread */
proctype visitor()
{
    byte left, noted, was;
    bit got;
    byte i;

    do
    :: i < 2 ->
        i++;
        visit()
    :: break
    od;
    visitors--
}

/* Takes it back, or waits until it can. */
inline unpark()
{
    if
#ifdef UNPARK_WITHOUT_EXCHANGE
    :: state = Owned
#else
    :: atomic { state == Parked -> state = Owned }
    :: else ->
        atomic { wanted = 1; steps = 0 };
        atomic { state == Parked -> state = Owned };
        wanted = 0
#endif
    fi;
    enter()
}

/* What an owner does, and its end. */
inline live()
{
    do
    :: turns > 0 ->
        turns--;
        if
        :: pending > 0 ->
            assert(user == 1);
            pending = 0;
            backlog = 0
        :: true
        fi;
        /* ThreadArenas::parkArena() */
        leaveUse();
        state = Parked;
        unpark()
    :: break
    od;
    turns = 0;
    if
    :: pending > 0 -> pending = 0; backlog = 0
    :: else -> skip
    fi;
    /* ArenaRegistry::becomesOrphan() */
    leaveUse();
    state = Orphaned;
#ifndef NO_LOOK_AFTER_ORPHAN
    if
    :: pending > 0 -> visit()
    :: else -> skip
    fi;
#endif
    others--
}

proctype owner()
{
    byte turns = 1;
    byte left, noted, was;
    bit got;
    live()
}

proctype adopter()
{
    byte turns; /* it does not park */
    byte left, noted, was;
    bit got;

    do
#ifdef ADOPT_VISITED
    :: atomic { state == Orphaned || state == VisitedOrphaned -> state = Owned }; break
#else
    :: atomic { state == Orphaned -> state = Owned }; break
#endif
    od;
    enter();
    live()
}

/* Supply::Turn, twice */
proctype taker()
{
    byte turns = 2;

    do
    :: turns > 0 ->
        turns--;
#ifdef UNPARK_WITHOUT_EXCHANGE
        if
        :: state == Parked
        fi;
        state = Owned;
#else
        atomic { state == Parked -> state = Owned };
#endif
        enter();
        if
        :: pending > 0 ->
            pending = 0;
            backlog = 0
        :: true
        fi;
        leaveUse();
        state = Parked
    :: turns == 0 -> break
    od;
    others--
}

init
{
#ifdef SHARED
    state = Parked;
    user = 0;
    atomic {
        run taker();
        run taker();
        run pusher(2);
        run visitor()
    };
    atomic {
        pushers == 0 && others == 0 && visitors == 0 ->
        assert(state == Parked && user == 0);
        assert(backlog == 0 || pending > 0) /* P4 */
    }
#else
    atomic {
        run owner();
        run adopter();
        run pusher(2);
        run visitor()
    };
    atomic {
        pushers == 0 && others == 0 && visitors == 0 ->
        assert(state == Orphaned && user == 0);
        assert(backlog == 0) /* P3 */
    }
#endif
}
