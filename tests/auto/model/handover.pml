// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    What the order of an arena's state keeps, where memory is weak: src/allocator/core/qpoolownership.h.
    ownership.pml shows who may touch the arena, in one memory; this shows that whoever does knows of all
    that was done to it.

    The owner works on the arena, parks it, takes it back, some times, and orphans it at last. Two visitors visit
    it when it is parked or orphaned, and another thread adopts it.

    The order is C++'s: a thread knows of what was done to the arena if it did that itself, or acquired
    a state that somebody who knew had released. A read-modify-write passes on what the state before it
    told; a store does not.

    Properties
      P1  Who works on the arena is alone.
      P2  It knows of all that was done before.
      P3  No state without a way on (spin's own check).

    Left out: the order of a push and of the look at who owns the arena, which are sequentially consistent;
    that is ownership.pml's.

    Seeded errors, each of which must be found: RELAXED_PARK, RELAXED_UNPARK, RELAXED_ORPHAN, RELAXED_ADOPT,
    RELAXED_VISIT, RELAXED_LEAVE, UNPARK_VISITED.
*/

#define OWNED 0
#define PARKED 1
#define ORPHANED 2

byte state;
bit visited;
byte tells; /* how much of the work, for who acquires the state */
byte work; /* how often somebody worked on the arena */
byte users;

/* Of who has the arena. */
inline useArena(knows)
{
    users++;
    assert(users == 1); /* P1 */
    assert(knows == work); /* P2 */
    atomic { work++; knows = work };
    users--
}

proctype owner()
{
    byte knows;
    byte parks;

    do
    :: parks < 3 ->
        useArena(knows);
        atomic {
            state = PARKED;
#ifdef RELAXED_PARK
            tells = 0
#else
            tells = knows
#endif
        };
        atomic {
#ifdef UNPARK_VISITED
            state == PARKED ->
#else
            state == PARKED && !visited ->
#endif
            state = OWNED;
#ifndef RELAXED_UNPARK
            knows = (tells > knows -> tells : knows)
#endif
        };
        parks++
    :: parks > 0 -> break
    od;
    useArena(knows);
    atomic {
        state = ORPHANED;
#ifndef RELAXED_ORPHAN
        tells = knows
#endif
    }
}

proctype visitor()
{
    byte knows;
    byte visits;

    do
    :: visits < 2 ->
        atomic {
            if
            :: (state == PARKED || state == ORPHANED) && !visited ->
                visited = 1;
#ifndef RELAXED_VISIT
                knows = tells
#endif
            :: else -> goto done
            fi
        };
        useArena(knows);
        atomic {
            visited = 0;
#ifndef RELAXED_LEAVE
            tells = knows
#endif
        };
        visits++
    :: break
    od;
done:
    skip
}

proctype adopter()
{
    byte knows;

    if
    :: atomic {
            state == ORPHANED && !visited ->
            state = OWNED;
#ifndef RELAXED_ADOPT
            knows = tells
#endif
        };
        useArena(knows)
    :: skip
    fi
}

init
{
    atomic {
        run owner();
        run visitor();
        run visitor();
        run adopter()
    }
}
