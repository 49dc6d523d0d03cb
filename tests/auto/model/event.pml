// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    The auto-reset event: src/pools/concurrency/qautoresetevent.h.

    Signallers each write something, then call signal(). The waiter looks at what it knows of, and waits
    while that is not all. It may wait with a time, which may be over at any moment; the system may end
    a sleep for no reason.

    The order is C++'s: the waiter knows of what was written only by reading the state with acquire
    after a signaller changed it with release. All changes are read-modify-writes, which read the
    newest value and continue the release sequence. The relaxed load in sleep() shows nothing.

    Properties
      P1  The waiter does not sleep for ever once all have signalled (spin's own check: it ends).
      P2  A sleep that ends, and not for want of time, ends because there was a signal.

    Seeded errors, each of which must be found: STORE_OF_SLEEPING (take() loads, then stores),
    STORE_OF_RESET (tryWait() does), STORE_AT_TIMEOUT, RETURN_IF_SET (signal() writes nothing then),
    RELAXED_SIGNAL, RELAXED_WAIT, LOOK_BEFORE_SET (signal() looks whether somebody sleeps before it
    sets Set), NEVER_EXCHANGED (a signaller that finds Sleeping only wakes), EXCHANGED_IF_ASLEEP (it leaves another
    value as it is, which may be that of a waiter whose time was over), RELAXED_EXCHANGE, SLEEP_UNCOMPARED (the system
    does not compare the word), WAIT_IS_OVER_UNREAD (after the sleep the state is reset without
    acquiring it).
*/

#define SIGNALLERS 3
#define ALL 7

#define Set 1
#define Sleeping 3 /* has Set's bit */

byte state = 0;
byte stateView; /* what reading the state with acquire makes known */
bit asleep; /* in the system */
bit mayWakeForNothing = 1;

proctype signaller(byte mine)
{
    byte found;
    bit exchanges; /* on some processors signal() does so at once */

#ifdef RETURN_IF_SET
    if
    :: state == Set -> goto done
    :: else -> skip
    fi;
#endif
    if
    :: exchanges = 0
    :: exchanges = 1
    fi;
#ifdef LOOK_BEFORE_SET
    found = state;
    atomic { state = (exchanges -> Set : state | Set); stateView = stateView | mine };
#else
    atomic {
        found = state;
        state = (exchanges -> Set : state | Set);
#  ifndef RELAXED_SIGNAL
#    ifdef RELAXED_EXCHANGE
        /* only the exchange is to make the signal visible */
        if
        :: found == Sleeping -> skip
        :: else -> stateView = stateView | mine
        fi
#    else
        stateView = stateView | mine
#    endif
#  endif
    };
#endif
#ifndef NEVER_EXCHANGED
    if
    :: found == Sleeping && !exchanges ->
        atomic {
            found = state;
#  ifdef EXCHANGED_IF_ASLEEP
            if
            :: found == Sleeping -> state = Set; stateView = stateView | mine
            :: else -> skip
            fi
#  else
            state = Set;
#    if !defined(RELAXED_SIGNAL) && !defined(RELAXED_EXCHANGE)
            stateView = stateView | mine
#    endif
#  endif
        }
    :: else -> skip
    fi;
#endif
    if
    :: found == Sleeping -> asleep = 0
    :: else -> skip
    fi;
done:
    skip
}

/* take(): old is what it found */
inline take()
{
#ifdef STORE_OF_SLEEPING
    old = state;
    if
    :: old == Set -> atomic { state = 0; view = view | stateView }
    :: else -> atomic { state = Sleeping; stateView = 0 }
    fi
#else
    atomic {
        old = state;
        assert(old == 0 || old == Set);
        state = (old == Set -> 0 : Sleeping);
#  ifndef RELAXED_WAIT
        view = view | stateView
#  endif
    }
#endif
}

proctype waiter()
{
    byte view;
    byte old;
    bit timed;

    do
    :: view == ALL -> break
    :: else ->
        if
        :: timed = 0
        :: timed = 1
        /* tryWait() */
        :: state == Set ->
#ifdef STORE_OF_RESET
            view = view | stateView;
            atomic { stateView = 0; state = 0 };
#else
            take();
            assert(old == Set); /* P2 */
#endif
            goto over
        fi;
        take();
        if
        :: old == Set -> goto over
        :: else -> skip
        fi;
        do
        :: state == Sleeping ->
            if
            :: timed ->
#ifdef STORE_AT_TIMEOUT
                atomic { state = 0; stateView = 0 };
                goto over
#else
                atomic {
                    if
                    :: state == Sleeping -> state = 0; goto over
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
#ifdef WAIT_IS_OVER_UNREAD
        state = 0;
#else
        take();
        assert(old == Set); /* P2 */
#endif
over:
        atomic { timed = 0; old = 0 }
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
