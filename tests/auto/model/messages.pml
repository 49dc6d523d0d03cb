// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    What the order of the backlog's head and of isAway keeps, where memory is weak:
    src/allocator/core/qpoolbacklog.h. backlog.pml and remotebatch.pml show who has what,
    in one memory; this shows who knows of what.

    Two remote caches, of one batch each, fill it when they see it back, and push it; the owner takes the
    list whole, reads each batch, and gives it back.

    The order is C++'s: a thread knows of what was written to a batch, and that it was read, if it did
    that itself, or acquired a value that somebody who knew had released. A read-modify-write passes on what
    the value before it told (it continues the release sequence); a store does not.

    Properties
      P1  Who reads a batch knows of all that was written to it.
      P2  Who fills a batch anew knows that what was in it was read.
      P3  No state without a way on (spin's own check).

    Seeded errors, each of which must be found: RELAXED_PUSH, STORE_PUSH (of the head, with release),
    RELAXED_TAKE, RELAXED_GIVE_BACK, RELAXED_LOOK, GIVE_BACK_BEFORE_READING.
*/

#ifndef ROUNDS
#  define ROUNDS 4
#endif

byte written[2]; /* how often each batch was filled */
bit away[2];
byte awayTells[2]; /* up to which filling it was read, for who acquires that it is back */
bit listed[2];
byte headTells[2]; /* up to which filling, for who acquires the head */
byte working = 2;

proctype remoteCache(byte mine)
{
    byte round;
    byte knowsRead;

    do
    :: round < ROUNDS && !away[mine] ->
#ifndef RELAXED_LOOK
        knowsRead = awayTells[mine];
#endif
        assert(knowsRead == written[mine]); /* P2 */
        written[mine]++;
        away[mine] = 1;
        atomic {
#ifdef STORE_PUSH
            headTells[1 - mine] = 0;
#endif
#ifndef RELAXED_PUSH
            headTells[mine] = written[mine];
#endif
            listed[mine] = 1
        }
        round++
    :: round == ROUNDS -> break
    od;
    working--
}

inline read(batch, got, knows)
{
    if
    :: got ->
#ifdef GIVE_BACK_BEFORE_READING
        atomic { away[batch] = 0; awayTells[batch] = written[batch] };
        assert(knows == written[batch])
#else
        assert(knows == written[batch]); /* P1 */
        atomic {
            away[batch] = 0;
#ifndef RELAXED_GIVE_BACK
            awayTells[batch] = knows;
#endif
        }
#endif
    :: else -> skip
    fi
}

proctype owner()
{
    bit got0, got1;
    byte knows0, knows1;

    do
    :: listed[0] || listed[1] ->
        atomic {
            got0 = listed[0];
            got1 = listed[1];
            listed[0] = 0;
            listed[1] = 0;
#ifndef RELAXED_TAKE
            knows0 = (headTells[0] > knows0 -> headTells[0] : knows0);
            knows1 = (headTells[1] > knows1 -> headTells[1] : knows1);
#endif
        }
        read(0, got0, knows0);
        read(1, got1, knows1)
    :: working == 0 && !listed[0] && !listed[1] -> break
    od
}

init
{
    atomic {
        run remoteCache(0);
        run remoteCache(1);
        run owner()
    }
}
