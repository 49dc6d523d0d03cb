// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    The note of a backlog, `pendingBytes` of core/qpoolarena.h, under C++'s memory order:
    core/qpoolremotecache.h (send), core/qpoolbacklogdrain.h (takeAll). Here it is a flag: whether the
    count is not zero. backlog.pml has one memory that all see at once; a C++ program has not, and
    the flag's whole point is the order of two locations. So here every atomic variable has
    its history, and every thread a view: the oldest entry of each history that it may still
    read. A release write puts the thread's view into its entry; an acquire read merges the
    entry's view into the reader's. A read-modify-write reads the newest entry, and passes that
    entry's view on (it continues the release sequence); a plain store does not.
    (After J. Kang et al., "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017,
    without promises: nothing here depends on writes that run ahead of reads.)

    Property
      P1  When all pushes are over and the newest value of the flag is false, all lists are
          empty: whatever older values the owner was shown, no backlog is forgotten by idle.

    Left out: batches that the owner took and keeps in the bin. Had a scan seen their push, it would
    have unpacked them; so the pusher's raise comes after the flag was lowered, and the next scan
    unpacks what is kept. Left out, for it changes nothing: the owner's first look at the flag. An old
    `false` there only puts idle off.

    Seeded errors, each of which must be found: PLAIN_STORE (a store, release, instead of an
    addition: another thread's store ends the release sequence of the first),
    RELAXED_RAISE, RELAXED_CLEAR, CLEAR_AFTER_SCAN, CHECK_BEFORE_RAISE (no addition when the
    flag is seen raised: right in one memory, wrong in C++'s).
*/

#define PUSHERS 3
#ifndef ROUNDS
#  define ROUNDS 1 /* with 2: the same answer after 146 million states and nine minutes */
#endif
#define LENGTH (3 + 2 * PUSHERS * ROUNDS) /* of a history; spin stops at an index beyond it */

typedef HeadHistory { bit filled[LENGTH] }
HeadHistory head[2]; /* null or not; an entry a change */
byte headNewest[2];
byte pushes;

bit flag[LENGTH];
byte flagView0[LENGTH]; /* what reading the entry with acquire makes known of head[0] */
byte flagView1[LENGTH]; /* and of head[1] */
byte flagNewest;

byte working = PUSHERS;

#define MERGE(into, from) into = (from > into -> from : into)

proctype pusher(byte id)
{
    byte view0, view1; /* of the heads */
    byte viewFlag;
    byte round;
    bit bin;

    do
    :: round < ROUNDS ->
        bin = (id + round) % 2;
        /* push: a read-modify-write of the head */
        atomic {
            headNewest[bin]++;
            head[bin].filled[headNewest[bin]] = 1;
            if
            :: bin == 0 -> view0 = headNewest[0]
            :: else -> view1 = headNewest[1]
            fi
        };
#ifdef CHECK_BEFORE_RAISE
        atomic {
            /* some entry of the flag that is not older than what was seen before */
            do
            :: viewFlag < flagNewest -> viewFlag++
            :: break
            od;
            if
            :: flag[viewFlag] -> goto next
            :: else -> skip
            fi
        };
#endif
        atomic {
            flagNewest++;
            flag[flagNewest] = 1;
#ifdef CHECK_BEFORE_RAISE
            viewFlag = flagNewest;
#endif
#ifndef PLAIN_STORE
            flagView0[flagNewest] = flagView0[flagNewest - 1];
            flagView1[flagNewest] = flagView1[flagNewest - 1];
#endif
#ifndef RELAXED_RAISE
            MERGE(flagView0[flagNewest], view0);
            MERGE(flagView1[flagNewest], view1);
#endif
        };
next:
        round++
    :: else -> break
    od;
    working--
}

inline look(bin, view)
{
    /* backlog.takeAll(): a relaxed load may show any entry from the view on ... */
    atomic {
        do
        :: view < headNewest[bin] -> view++
        :: break
        od
    };
    /* ... and the exchange takes the newest. */
    atomic {
        if
        :: head[bin].filled[view] ->
            headNewest[bin]++;
            head[bin].filled[headNewest[bin]] = 0;
            view = headNewest[bin]
        :: else -> skip
        fi
    }
}

inline lower()
{
    atomic {
        flagNewest++;
        flag[flagNewest] = 0;
        flagView0[flagNewest] = flagView0[flagNewest - 1];
        flagView1[flagNewest] = flagView1[flagNewest - 1];
#ifndef RELAXED_CLEAR
        MERGE(view0, flagView0[flagNewest]);
        MERGE(view1, flagView1[flagNewest]);
#endif
    }
}

proctype owner()
{
    byte view0, view1;
    bit allocations = 1; /* slow paths: bounded, for each may add an entry */

    do
    :: flag[flagNewest] ->
#ifndef CLEAR_AFTER_SCAN
        lower();
#endif
        look(0, view0);
        look(1, view1);
#ifdef CLEAR_AFTER_SCAN
        lower()
#endif
    :: allocations -> allocations = 0; look(0, view0)
    :: (working == 0 && !flag[flagNewest]) -> break
    od;
    assert(!head[0].filled[headNewest[0]] && !head[1].filled[headNewest[1]]) /* P1 */
}

init
{
    atomic {
        run pusher(0);
        run pusher(1);
        run pusher(2);
        run owner()
    }
}
