// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    Wake-ups: src/corelib/kernel/qwakeupstate_p.h, as src/corelib/edits/wakeups.cmake uses it in
    GLib's turns, and in UNIX's.

    Wishers each set a flag of their own, then call wakeUp(), and write to the eventfd if that
    says so. GLib's loop takes turns: prepare, poll, check, dispatch. In any turn a source of higher
    priority may be ready, before the poll or after it; then GLib asks our source not at all,
    and, in the former case, does not sleep. A source that was ready is not asked again until it was
    dispatched. Some other file descriptor may end the sleep.

    Wishes are of two kinds. Some are seen by our own source when it is asked: Qt's list and serial
    number. Others are looked at only after the poll, by a source that is asked before ours.

    UNIX's loop looks at all wishes at the beginning of each turn, and begins the wait last before the
    poll. Between the two stands aboutToBlock(), in a slot of which there may be a loop of its own: it
    takes turns of the same dispatcher, which may sleep, take signals and end waits, and it may end
    with wishes known and not fulfilled. In GLib's turns no loop can be nested between prepare and
    check: GLib refuses to run a context from within its sources' prepare() and check(), and Qt emits
    aboutToBlock() before the turn. In a dispatch it is turns between the dispatch and the rest of it,
    which the state sees as turns one after the other.

    The order is C++'s: a wish is seen by who knows of it, by reading with acquire what was
    written with release after it, or by the eventfd; nobody sees it by chance. The state is
    changed by read-modify-writes alone, which read the newest value and continue the release
    sequence. The relaxed load in beginWait() may miss the newest value; it cannot show an older
    Woken or Signalled, for only the loop itself leaves those for Awake.

    Properties
      P1  The loop does not sleep for ever while a wish is not fulfilled.
      P2  No deadlock (spin's own check).

    Not shown here: events behind one that is being delivered. When they are is Qt's affair.

    Seeded errors, each of which must be found: WAITING_AFTER_THE_LOOK, PLAIN_STORE,
    LOAD_BEFORE_EXCHANGE (in wakeUp(): return if it is Woken already), RELAXED_WAKE_UP,
    RELAXED_WAIT, SIGNAL_THE_AWAKE, AWAKE_BEFORE_THE_POLL, SIGNALLED_FOR_ALL (who finds Signalled
    leaves it), END_TAKES_ALL (Woken, too), ABANDON_TAKES_ALL, SLEEP_THOUGH_WOKEN (the second
    look of beginWait()), and with a loop in a slot of aboutToBlock(): WAIT_BEFORE_THE_SLOT and
    NO_NEW_LOOK (whether that loop left anything).
*/

#define WISHERS 3
#define ALL 7
#define AFTER_THE_POLL 2 /* the wish of this kind */

mtype = { Awake, Woken, Waiting, Signalled }
#define IS_WOKEN(state) (state == Woken || state == Signalled)

mtype state = Awake;
byte stateView; /* the wishes that reading the state with acquire makes known */
bit eventfd;
byte eventfdView;
byte over; /* wishers that have done all */
bit everWoken;

proctype wisher(byte wish)
{
    byte view = wish;
    mtype old;

#ifdef LOAD_BEFORE_EXCHANGE
    if
    :: everWoken -> goto done
    :: true -> skip
    fi;
#endif
    /* One read-modify-write, whichever it is: that the first look is one of its own changes
       nothing, since what it saw is compared once more. Who finds Waiting but did not look may
       set either. */
    atomic {
        old = state;
        if
        :: old == Waiting -> state = Signalled
#ifndef SIGNALLED_FOR_ALL
        :: true -> state = Woken
#else
        :: old == Signalled -> skip
        :: old == Awake || old == Woken -> state = Woken
#endif
        fi;
        everWoken = everWoken | (state == Woken);
        view = view | stateView;
#ifndef RELAXED_WAKE_UP
        stateView = stateView | view;
#endif
    };
    if
#ifdef SIGNAL_THE_AWAKE
    :: old == Awake ->
#else
    :: old == Waiting ->
#endif
        atomic { eventfd = 1; eventfdView = eventfdView | view }
    :: else -> skip
    fi;
done:
    over++
}

inline exchange(value)
{
    old = state;
    state = value;
#ifndef RELAXED_WAIT
    view = view | stateView;
#endif
    stateView = stateView | view
}

inline beginWait()
{
    if
    :: IS_WOKEN(state) ->
        atomic { exchange(Awake); woken = 1 }
    :: true ->
#ifdef WAITING_AFTER_THE_LOOK
        woken = IS_WOKEN(state);
        atomic { exchange(Waiting) }
#else
#  ifdef PLAIN_STORE
        atomic { woken = 0; state = Waiting; stateView = view }
#  else
        atomic { exchange(Waiting); woken = IS_WOKEN(old) };
#    ifdef SLEEP_THOUGH_WOKEN
        woken = 0
#    endif
#  endif
#endif
    fi
}

inline endWait()
{
    atomic {
        if
#ifdef END_TAKES_ALL
        :: true -> exchange(Awake)
#else
        :: state == Waiting || state == Signalled -> exchange(Awake)
        :: state == Awake || state == Woken -> old = state; view = view | stateView
#endif
        fi;
        woken = woken | IS_WOKEN(old)
    }
}

inline abandonWait()
{
    atomic {
        if
#ifdef ABANDON_TAKES_ALL
        :: true -> state = Awake
#else
        :: state == Waiting -> state = Awake
        :: else -> skip
#endif
        fi
    }
}

inline acknowledge()
{
    atomic { eventfd = 0; view = view | eventfdView }
}

#define SOMETHING_LEFT ((view & ~fulfilled) != 0)
#define SOURCE_READY ((view & ~fulfilled & ~AFTER_THE_POLL) != 0)

proctype loop()
{
    byte view, fulfilled;
    mtype old;
    bit woken, preferred, ready;

    do
    :: true ->
        atomic { woken = 0; preferred = 0 };

        /* prepare */
        if
        :: !ready ->
            beginWait();
            ready = SOURCE_READY
        :: ready
        :: preferred = 1 /* a source of higher priority: ours is not asked */
        fi;
#ifdef AWAKE_BEFORE_THE_POLL
        endWait();
#endif

        /* poll */
        if
        :: atomic { eventfd -> acknowledge() }
        :: (woken || ready || preferred) && !eventfd
        :: !woken && !ready && !preferred && !eventfd /* another file descriptor */
        :: !woken && !ready && !preferred && !eventfd && over == WISHERS ->
            assert(fulfilled == ALL); /* P1 */
            break
        fi;

        /* check */
        fulfilled = fulfilled | (view & AFTER_THE_POLL);
        if
        :: !ready ->
            endWait();
            ready = SOURCE_READY
        :: true /* was ready before, or one of higher priority is now: ours is not asked */
        fi;

        /* dispatch */
        if
        :: ready ->
            abandonWait();
            fulfilled = fulfilled | (view & ~AFTER_THE_POLL);
            ready = 0
        :: else -> skip
        fi;
        old = Awake
    od
}

inline beginTurn()
{
    woken = 0;
    fulfilled = fulfilled | view;
    if
    :: canWait = 1
    :: canWait = 0
    fi
}

/* wakeUp(), by the loop: a wisher without a wish. */
inline wakeSelf()
{
    atomic {
        if
        :: state == Waiting ->
            exchange(Signalled);
            eventfd = 1;
            eventfdView = eventfdView | view
        :: else -> exchange(Woken)
        fi
    }
}

inline endTurn()
{
    atomic { exchange(Awake) }
}

inline pollAndEndTurn()
{
#ifndef WAIT_BEFORE_THE_SLOT
    beginWait();
#endif
    if
    :: eventfd ->
        endTurn();
        acknowledge()
    :: !eventfd -> endTurn() /* another file descriptor */
    :: !eventfd -> abandonWait() /* a timer, or no wait at all */
    :: canWait && !woken && !eventfd && over == WISHERS ->
        assert(fulfilled == ALL); /* P1 */
        goto asleep
    fi;
    old = Awake
}

proctype unixLoop()
{
    byte view, fulfilled;
    mtype old;
    bit woken, canWait;

    do
    :: true ->
        beginTurn();
#ifdef WAIT_BEFORE_THE_SLOT
        beginWait();
#endif
        if
        :: canWait ->
            do
            :: true -> /* a turn of a nested loop; one more level would add nothing */
                beginTurn();
#ifdef WAIT_BEFORE_THE_SLOT
                beginWait();
#endif
                pollAndEndTurn()
            :: true -> break
            od;
            canWait = 1;
            woken = 0;
#ifndef NO_NEW_LOOK
            if
            :: SOMETHING_LEFT -> wakeSelf()
            :: else
            fi
#endif
        :: else
        fi;
        pollAndEndTurn()
    od;
asleep:
    skip
}

init
{
    atomic {
        run wisher(1);
        run wisher(2);
        run wisher(4);
        if
        :: run loop()
        :: run unixLoop()
        fi
    }
}
