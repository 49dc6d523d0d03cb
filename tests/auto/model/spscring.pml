// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    The ring between two threads: src/allocator/adapters/concurrency/qpoolspscring.h, and how
    qblockingspscqueue.h waits at its ends.

    The producer pushes numbers, one or two at a time, and closes the queue. Who finds no room or no
    element waits for the other end's event, which is kept if it is signalled first; event.pml is
    about how the event does that. Each end knows its own index, and what it last saw of the other's.
    Indices are bytes here, and wrap.

    Properties
      P1  An element is made in a slot that is free, and taken from one that has it.
      P2  They come in order, each once.
      P3  Who is told that all is over has had all.
      P4  Nobody waits for ever (spin's own check: both end).

    Not shown here: spin's processes see one memory, in one order. That the index is written after
    the slot is (release), and the slot read after the index (acquire), is argued in qpoolspscring.h and
    watched by ThreadSanitizer. What is read late is: an end may have looked at any time before.

    Seeded errors, each of which must be found: PUSHED_TOO_EARLY (the index before the slot),
    POPPED_TOO_EARLY, ONE_TOO_MANY (of room), STALE_FOR_EVER (what was seen is not looked at anew),
    CLOSED_AFTER_THE_LOOK (whether the queue is empty is looked at before whether it is closed),
    SIGNAL_TOO_EARLY (before the index), POP_WITHOUT_SIGNAL, CLOSE_WITHOUT_SIGNAL, CLOSED_TOO_EARLY
    (close() signals before it closes), NOT_KEPT (a signal to nobody is lost).
*/

#define CAPACITY 2
#define ELEMENTS 5
#define BEGIN 254 /* wraps after two */
#define SLOT(index) (((index) + 256) % CAPACITY)

byte pushed = BEGIN;
byte popped = BEGIN;
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

inline publishPushed(count)
{
#ifdef SIGNAL_TOO_EARLY
    signal(pushedEvent, waitsForPushed);
    pushed = pushed + count
#else
    pushed = pushed + count;
    signal(pushedEvent, waitsForPushed)
#endif
}

proctype producer()
{
    byte seen = BEGIN;
    byte room, wanted, made;
    byte next = 1;

    do
    :: next > ELEMENTS -> break
    :: else ->
        if
        :: wanted = 1
        :: next < ELEMENTS -> wanted = 2
        fi;
        room = CAPACITY - (pushed - seen);
        if
        :: room < wanted ->
#ifndef STALE_FOR_EVER
            seen = popped;
#endif
            room = CAPACITY - (pushed - seen)
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
    seen = pushed;
    finished = (seen == popped);
    finished = finished && closed
#else
    finished = closed;
    if
    :: finished -> seen = pushed; finished = (seen == popped)
    :: else -> skip
    fi
#endif
}

proctype consumer()
{
    byte seen = BEGIN;
    bit finished;

    do
    :: true ->
        if
        :: seen == popped -> seen = pushed
        :: else -> skip
        fi;
        if
        :: seen == popped ->
            look();
            if
            :: finished -> break
            :: !finished && seen == popped -> wait(pushedEvent, waitsForPushed)
            :: else -> skip
            fi
        :: else ->
#ifdef POPPED_TOO_EARLY
            popped++;
            signal(poppedEvent, waitsForPopped);
            atomic {
                assert(content[SLOT(popped - 1)] == taken + 1); /* P1, P2 */
                taken++;
                content[SLOT(popped - 1)] = 0
            }
#else
            atomic {
                assert(content[SLOT(popped)] == taken + 1); /* P1, P2 */
                taken++;
                content[SLOT(popped)] = 0
            };
            popped++;
#  ifndef POP_WITHOUT_SIGNAL
            signal(poppedEvent, waitsForPopped)
#  endif
#endif
        fi
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
