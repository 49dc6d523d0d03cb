// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    The ring between two threads: src/pools/concurrency/qpoolspscring.h and
    qpoolpublishedindex.h, and how qblockingspscqueue.h waits at its ends.

    The producer pushes numbers, one, two or a whole ring at a time, and closes the queue; the consumer pops
    one or two at a time. Who finds no room or no element waits for the other end's event, which is kept if it is
    signalled first; event.pml is about how the event does that. Each end knows its own index, and what it
    last saw of the other's, which is published in the lines of the blocks that were worked on. Indices are
    bytes here, and wrap.

    Properties
      P1  An element is made in a slot that is free, and taken from one that has it.
      P2  They come in order, each once.
      P3  Who is told that all is over has had all.
      P4  Nobody waits for ever (spin's own check: both end).

    Not shown here: spin's processes see one memory, in one order. That the index is written after
    the slot is (release), and the slot read after the index (acquire), is argued in qpoolspscring.h and
    watched by ThreadSanitizer. What is read late is: an end may have looked at any time before.

    Seeded errors, each of which must be found: LAST_BLOCK_ONLY (a step is published in the block of its
    last element alone), OLD_VALUE_TAKEN (a line's value is taken though it is from the turn before),
    PUSHED_TOO_EARLY (the index before the slot),
    POPPED_TOO_EARLY, ONE_TOO_MANY (of room), STALE_FOR_EVER (what was seen is not looked at anew),
    CLOSED_AFTER_THE_LOOK (whether the queue is empty is looked at before whether it is closed),
    SIGNAL_TOO_EARLY (before the index), POP_WITHOUT_SIGNAL, CLOSE_WITHOUT_SIGNAL, CLOSED_TOO_EARLY
    (close() signals before it closes), NOT_KEPT (a signal to nobody is lost).
*/

#define CAPACITY 4
#define BLOCK 2 /* slots */
#define BLOCKS 2
#define ELEMENTS 7
#define BEGIN 254 /* wraps after two */
#define SLOT(index) (((index) + 256) % CAPACITY)
#define BLOCKOF(index) ((((index) + 256) % 256) / BLOCK)
#define LINE(index) (BLOCKOF(index) % BLOCKS)
#define PUSHED 0
#define POPPED BLOCKS
#define DISTANCE(from, to) (((to) - (from) + 512) % 256)
#define BEFORE(a, b) (DISTANCE(a, b) != 0 && DISTANCE(a, b) < 128)

byte pushed = BEGIN; /* the producer's own */
byte popped = BEGIN; /* the consumer's own */
byte line[2 * BLOCKS] = BEGIN; /* those of pushed, then those of popped */
bit closed;
byte content[CAPACITY]; /* 0: free */
bit pushedEvent;
bit poppedEvent;
bit waitsForPushed;
bit waitsForPopped;
byte taken;

inline signal(event, waits)
{
#ifdef NOT_KEPT
    atomic {
        if
        :: waits -> event = 1
        :: else -> skip
        fi
    }
#else
    event = 1
#endif
}

inline wait(event, waits)
{
    waits = 1;
    atomic { event -> event = 0; waits = 0 }
}

inline publish(index, from, count)
{
    at = count;
    do
    :: at > 0 ->
        block = BLOCKOF(from + at - 1);
        line[index + LINE(from + at - 1)] = from + count;
#ifdef LAST_BLOCK_ONLY
        break;
#endif
        do
        :: at > 0 && BLOCKOF(from + at - 1) == block -> at--
        :: else -> break
        od
    :: else -> break
    od;
    at = 0;
    block = 0
}

/* Sets known to the newest value, or to one that is at least enough. */
inline readFrom(index, known, enough)
{
    do
    :: true ->
        value = line[index + LINE(known)];
#ifdef OLD_VALUE_TAKEN
        known = value;
        break;
#endif
        if
        :: !BEFORE(known, value) -> break
        :: else ->
            if
            :: BLOCKOF(value) == BLOCKOF(known) || !BEFORE(value, enough) -> known = value; break
            :: else -> known = value
            fi
        fi
    od;
    value = 0
}

inline publishPushed(count)
{
#ifdef SIGNAL_TOO_EARLY
    signal(pushedEvent, waitsForPushed);
    publish(PUSHED, pushed, count);
    pushed = pushed + count
#else
    publish(PUSHED, pushed, count);
    pushed = pushed + count;
    signal(pushedEvent, waitsForPushed)
#endif
}

inline publishPopped(count)
{
    publish(POPPED, popped, count);
    popped = popped + count;
#ifndef POP_WITHOUT_SIGNAL
    signal(poppedEvent, waitsForPopped)
#endif
}

proctype producer()
{
    byte seen = BEGIN;
    byte room, wanted, made, at, block, value;
    byte next = 1;

    do
    :: next > ELEMENTS -> break
    :: else ->
        if
        :: wanted = 1
        :: next < ELEMENTS -> wanted = 2
        :: next + CAPACITY <= ELEMENTS + 1 -> wanted = CAPACITY
        fi;
        room = CAPACITY - DISTANCE(seen, pushed);
        if
        :: room < wanted ->
#ifndef STALE_FOR_EVER
            readFrom(POPPED, seen, pushed + wanted - CAPACITY);
#endif
            room = CAPACITY - DISTANCE(seen, pushed)
        :: else -> skip
        fi;
#ifdef ONE_TOO_MANY
        room++;
#endif
        if
        :: room == 0 -> wait(poppedEvent, waitsForPopped)
        :: else ->
            if
            :: room < wanted -> wanted = room
            :: else -> skip
            fi;
#ifdef PUSHED_TOO_EARLY
            publishPushed(wanted);
            made = 0;
            do
            :: made < wanted ->
                atomic {
                    assert(content[SLOT(pushed - wanted + made)] == 0); /* P1 */
                    content[SLOT(pushed - wanted + made)] = next;
                    next++;
                    made++
                }
            :: else -> break
            od
#else
            made = 0;
            do
            :: made < wanted ->
                atomic {
                    assert(content[SLOT(pushed + made)] == 0); /* P1 */
                    content[SLOT(pushed + made)] = next;
                    next++;
                    made++
                }
            :: else -> break
            od;
            publishPushed(wanted)
#endif
        fi;
        atomic { room = 0; wanted = 0; made = 0 }
    od;
#ifdef CLOSED_TOO_EARLY
    signal(pushedEvent, waitsForPushed);
    closed = 1
#else
    closed = 1;
#  ifndef CLOSE_WITHOUT_SIGNAL
    signal(pushedEvent, waitsForPushed)
#  endif
#endif
}

/* isFinished() */
inline look()
{
#ifdef CLOSED_AFTER_THE_LOOK
    readFrom(PUSHED, seen, popped + 1);
    finished = (seen == popped);
    finished = finished && closed
#else
    finished = closed;
    if
    :: finished -> readFrom(PUSHED, seen, popped + 1); finished = (seen == popped)
    :: else -> skip
    fi
#endif
}

inline take(index)
{
    atomic {
        assert(content[SLOT(index)] == taken + 1); /* P1, P2 */
        taken++;
        content[SLOT(index)] = 0
    }
}

proctype consumer()
{
    byte seen = BEGIN;
    byte wanted, inside, gone, at, block, value;
    bit finished;

    do
    :: true ->
        if
        :: wanted = 1
        :: wanted = 2
        fi;
        inside = DISTANCE(popped, seen);
        if
        :: inside < wanted -> readFrom(PUSHED, seen, popped + wanted)
        :: else -> skip
        fi;
        inside = DISTANCE(popped, seen);
        if
        :: inside == 0 ->
            look();
            if
            :: finished -> break
            :: !finished && seen == popped -> wait(pushedEvent, waitsForPushed)
            :: else -> skip
            fi
        :: else ->
            if
            :: inside < wanted -> wanted = inside
            :: else -> skip
            fi;
            gone = 0;
#ifdef POPPED_TOO_EARLY
            publishPopped(wanted);
            do
            :: gone < wanted -> take(popped - wanted + gone); gone++
            :: else -> break
            od
#else
            do
            :: gone < wanted -> take(popped + gone); gone++
            :: else -> break
            od;
            publishPopped(wanted)
#endif
        fi;
        atomic { wanted = 0; inside = 0; gone = 0 }
    od;
    assert(taken == ELEMENTS) /* P3 */
}

init
{
    atomic {
        run producer();
        run consumer()
    }
}
