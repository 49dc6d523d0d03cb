// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    The backlog: src/allocator/core/qpoolbacklog.h, with its note, `pendingBytes` of core/qpoolarena.h, here
    a flag: hasBacklog, whether the count is not zero.

    Pushers, each with a chain of chunks, push it to the backlog of one of two bins with a
    compare-exchange loop that may fail for no reason (compare_exchange_weak), then raise
    hasBacklog. The owner lowers the flag and looks through both bins (idle), takes one bin's
    list at any time (the slow path of an allocation), and hands chunks it took to pushers
    again, so that the same chunk comes back while another pusher still holds an old head: the
    situation an ABA error needs.

    Properties
      P1  No chunk is taken that is not in a list: none twice, none that a pusher holds.
      P2  Nobody but its holder writes a chunk's link.
      P3  When all pushes are over and the flag is down, both lists are empty: no backlog is
          forgotten by idle.
      P4  Then every chunk is home, and as many were taken as were pushed: none is lost.
      P5  No state without a way on (spin's own check).

    Not shown here: spin's processes see one memory, in one order. That every link is written
    before the push that publishes it is seen by the owner (release and acquire on the head, a
    release sequence through others' pushes) is argued in qpoolbacklog.h and watched by TSan;
    what the flag needs under C++'s weaker order is in hasbacklog.pml.

    Seeded errors, each of which must be found: PUSH_WITHOUT_CAS, TAKE_IN_TWO_STEPS,
    STALE_LINK (the failed exchange's head is not linked anew), FLAG_BEFORE_PUSH,
    CLEAR_AFTER_SCAN.
*/

#define PUSHERS 3
#define CHUNKS 4
#ifndef RECYCLED
#  define RECYCLED 1 /* chunks the owner hands out again; with 2, 12.5 million states */
#endif

#define BIN(chunk) (chunk == 4)

mtype = { Home, Held, Listed }

byte head[2];
byte next[CHUNKS + 1];
mtype place[CHUNKS + 1];
bit hasBacklog;

byte hand[PUSHERS]; /* what the owner gives to a pusher */
byte working = PUSHERS; /* pushers in the middle of a push */
byte toRecycle = RECYCLED;
byte pushed;
byte taken;

inline setLink(chunk, value)
{
    atomic {
        assert(place[chunk] == Held); /* P2 */
        next[chunk] = value;
    }
}

proctype pusher(byte id; byte first; byte last)
{
    byte seen;
    byte bin;

push:
    bin = BIN(first);
#ifdef FLAG_BEFORE_PUSH
    hasBacklog = 1;
#endif
    seen = head[bin];
retry:
    setLink(last, seen);
compare:
    skip;
#ifdef PUSH_WITHOUT_CAS
    if
    :: head[bin] == seen -> skip
    :: else -> seen = head[bin]; goto retry
    fi;
    atomic {
        head[bin] = first;
#else
    atomic {
        if
        :: head[bin] == seen -> head[bin] = first
        :: seen = head[bin]; goto failed
        fi;
#endif
        place[first] = Listed;
        place[last] = Listed;
        pushed = pushed + 1 + (first != last)
    };
#ifndef FLAG_BEFORE_PUSH
    hasBacklog = 1;
#endif
    atomic {
        working--;
        if
        :: hand[id] != 0 ->
            first = hand[id];
            last = first;
            hand[id] = 0;
            working++;
            goto push
        :: toRecycle == 0 && hand[id] == 0 -> goto done
        fi
    };
failed:
#ifdef STALE_LINK
    goto compare;
#else
    goto retry;
#endif
done:
    skip
}

/* Any home chunk to any pusher: which of them waits for it does not matter. */
inline recycle()
{
    atomic {
        select(chunk : 1 .. CHUNKS);
        select(to : 0 .. PUSHERS - 1);
        if
        :: toRecycle > 0 && place[chunk] == Home && hand[to] == 0 ->
            place[chunk] = Held;
            hand[to] = chunk;
            toRecycle--
        :: else -> skip
        fi;
        chunk = 0;
        to = 0
    }
}

inline take(bin)
{
    if
    :: head[bin] != 0 ->
#ifdef TAKE_IN_TWO_STEPS
        chunk = head[bin];
        head[bin] = 0;
#else
        atomic { chunk = head[bin]; head[bin] = 0 };
#endif
        do
        :: chunk != 0 ->
            atomic {
                assert(place[chunk] == Listed); /* P1 */
                following = next[chunk];
                place[chunk] = Home;
                taken++;
                chunk = following;
                following = 0
            }
        :: else -> break
        od
    :: else -> skip
    fi
}

proctype owner()
{
    byte chunk;
    byte following;
    byte to;

    do
    :: hasBacklog ->
#ifndef CLEAR_AFTER_SCAN
        hasBacklog = 0;
#endif
        take(0);
        take(1);
#ifdef CLEAR_AFTER_SCAN
        hasBacklog = 0
#endif
    :: head[0] != 0 -> take(0)
    :: head[1] != 0 -> take(1)
    :: toRecycle > 0 -> recycle()
    :: (!hasBacklog && working == 0 && toRecycle == 0
        && hand[0] == 0 && hand[1] == 0 && hand[2] == 0) -> break
    od;

    assert(head[0] == 0 && head[1] == 0); /* P3 */
    assert(taken == pushed); /* P4 */
    for (chunk : 1 .. CHUNKS) {
        assert(place[chunk] == Home) /* P4 */
    }
}

init
{
    atomic {
        for (pushed : 1 .. CHUNKS) {
            place[pushed] = Held
        };
        pushed = 0;
        next[1] = 2;
        run pusher(0, 1, 2); /* a batch: two chunks of the first bin, linked already */
        run pusher(1, 3, 3);
        run pusher(2, 4, 4); /* the second bin's */
        run owner()
    }
}
