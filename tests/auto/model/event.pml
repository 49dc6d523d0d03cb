// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    The auto-reset event: src/allocator/adapters/concurrency/qautoresetevent.h.

    Signallers each write something, then call signal(). The waiter looks at what it knows of, and waits
    while that is not all. It may wait with a time, which may be over at any moment; the system may end
    a sleep for no reason.

    The order is C++'s: the waiter knows of what was written only by reading the state with acquire
    after a signaller changed it with release. All changes are read-modify-writes, which read the
    newest value and continue the release sequence. The relaxed load in sleep() shows nothing.

    Properties
      P1  The waiter does not sleep for ever once all have signalled (spin's own check: it ends).
      P2  A sleep that ends, and not for want of time, ends because there was a signal.

    Seeded errors, each of which must be found: STORE_OF_SLEEPING (instead of the compare-exchange),
    STORE_OF_RESET (wait() loads, then stores), STORE_AT_TIMEOUT, RETURN_IF_SET (signal() writes nothing
    then), RELAXED_SIGNAL, RELAXED_WAIT, LOOK_BEFORE_SET (signal() looks whether somebody sleeps before
    its exchange), SLEEP_UNCOMPARED (the system does not compare the word), WAIT_IS_OVER_UNREAD (after
    the sleep the state is reset without acquiring it).
*/

#define SIGNALLERS 3
#define ALL 7

mtype = { Reset, Set, Sleeping }

mtype state = Reset;
byte stateView; /* what reading the state with acquire makes known */
bit asleep; /* in the system */
bit mayWakeForNothing = 1;

proctype signaller(byte mine)
{
    mtype old;

#ifdef RETURN_IF_SET
    if
    :: state == Set -> goto done
    :: else -> skip
    fi;
#endif
#ifdef LOOK_BEFORE_SET
    old = state;
    atomic { state = Set; stateView = stateView | mine };
#else
    atomic {
        old = state;
        state = Set;
#  ifndef RELAXED_SIGNAL
        stateView = stateView | mine
#  endif
    };
#endif
    if
    :: old == Sleeping -> asleep = 0
    :: else -> skip
    fi;
done:
    skip
}

inline exchange()
{
#ifdef STORE_OF_RESET
    old = state;
    atomic { view = view | stateView; stateView = 0; state = Reset }
#else
    atomic {
        old = state;
        state = Reset;
#  ifndef RELAXED_WAIT
        view = view | stateView
#  endif
    }
#endif
}

proctype waiter()
{
    byte view;
    mtype old;
    bit timed;

    do
    :: view == ALL -> break
    :: else ->
        if
        :: timed = 0
        :: timed = 1
        fi;
        exchange();
        if
        :: old == Set -> goto over
        :: else -> skip
        fi;
#ifdef STORE_OF_SLEEPING
        atomic { state = Sleeping; stateView = 0 };
#else
        atomic {
            if
            :: state == Reset -> state = Sleeping
            :: else -> goto take
            fi
        };
#endif
        do
        :: state == Sleeping ->
            if
            :: timed ->
#ifdef STORE_AT_TIMEOUT
                atomic { state = Reset; stateView = 0 };
                goto over
#else
                atomic {
                    if
                    :: state == Sleeping -> state = Reset; goto over
                    :: else -> break
                    fi
                }
#endif
            :: true ->
                /* futexWait() */
#ifdef SLEEP_UNCOMPARED
                asleep = 1;
#else
                atomic {
                    if
                    :: state == Sleeping -> asleep = 1
                    :: else -> skip
                    fi
                };
#endif
                if
                :: !asleep -> skip
                :: asleep && mayWakeForNothing -> atomic { mayWakeForNothing = 0; asleep = 0 }
                fi
            fi
        :: state != Sleeping -> break
        od;
take:
#ifdef WAIT_IS_OVER_UNREAD
        state = Reset;
#else
        exchange();
        assert(old == Set); /* P2 */
#endif
over:
        atomic { timed = 0; old = Reset }
    od
}

init
{
    atomic {
        run signaller(1);
        run signaller(2);
        run signaller(4);
        run waiter()
    }
}
