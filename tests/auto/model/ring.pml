// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    What the order of a ring's two indices keeps, where memory is weak:
    src/pools/concurrency/qpoolspscring.h, qpoolpublishedindex.h. spscring.pml shows that no
    element is lost, in one memory; this shows who knows of what is in a slot.

    The producer writes elements into a ring of two slots, the consumer reads them. A block is a slot here, so
    that each index is written to two places in turn. Each end looks at the other's index when it has to, in
    the place of the slot that it waits for, and may be shown any value from the one it saw last to the
    newest.

    The order is C++'s: the consumer knows that an element was written, and the producer that it was read, only
    by acquiring an index that was released after it.

    Properties
      P1  Who reads a slot knows of the element that was written to it.
      P2  Who writes to a slot knows that the element before was read.
      P3  All elements come through.

    Seeded errors, each of which must be found: RELAXED_PUSH, RELAXED_POP, RELAXED_LOOK_AT_PUSHED,
    RELAXED_LOOK_AT_POPPED, PUSHED_BEFORE_THE_ELEMENT.
*/

#define SLOTS 2
#ifndef ELEMENTS
#  define ELEMENTS 8
#endif

byte pushed[SLOTS], popped[SLOTS]; /* the newest values of the indices, by place */
byte pushedTells[SLOTS], poppedTells[SLOTS]; /* of how many elements a released index tells */
byte written; /* elements, as the memory has them */
byte done;

/* Any value of the index from what was seen on. What a relaxed store wrote tells of nothing. */
inline lookAt(index, tellsOf, seen, knows)
{
    atomic {
        do
        :: seen < index -> seen++
        :: break
        od;
        if
        :: tellsOf >= seen && knows < seen -> knows = seen
        :: else -> skip
        fi
    }
}

inline lookRelaxed(index, seen)
{
    atomic {
        do
        :: seen < index -> seen++
        :: break
        od
    }
}

proctype producer()
{
    byte next, seen, knows;

    do
    :: next < ELEMENTS ->
        do
        :: next == seen + SLOTS ->
#ifdef RELAXED_LOOK_AT_POPPED
            lookRelaxed(popped[next % SLOTS], seen)
#else
            lookAt(popped[next % SLOTS], poppedTells[next % SLOTS], seen, knows)
#endif
        :: else -> break
        od;
        assert(next < knows + SLOTS); /* P2 */
#ifdef PUSHED_BEFORE_THE_ELEMENT
        atomic { pushed[next % SLOTS] = next + 1; pushedTells[next % SLOTS] = next };
        written = next + 1;
#else
        written = next + 1;
        atomic {
            pushed[next % SLOTS] = next + 1;
#ifndef RELAXED_PUSH
            pushedTells[next % SLOTS] = next + 1
#endif
        };
#endif
        next++
    :: else -> break
    od
}

proctype consumer()
{
    byte next, seen, knows;

    do
    :: next < ELEMENTS ->
        do
        :: next == seen ->
#ifdef RELAXED_LOOK_AT_PUSHED
            lookRelaxed(pushed[next % SLOTS], seen)
#else
            lookAt(pushed[next % SLOTS], pushedTells[next % SLOTS], seen, knows)
#endif
        :: else -> break
        od;
        assert(next < knows && next < written); /* P1 */
        atomic {
            popped[next % SLOTS] = next + 1;
#ifndef RELAXED_POP
            poppedTells[next % SLOTS] = next + 1
#endif
        };
        next++
    :: else -> break
    od;
    done = next;
    assert(done == ELEMENTS) /* P3 */
}

init
{
    atomic {
        run producer();
        run consumer()
    }
}
