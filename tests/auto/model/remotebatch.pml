// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    Remote batches: src/allocator/core/qpoolbacklog.h, with the remote cache that fills them, the backlog that
    takes them, and the bin that keeps those it has no room for (core/qpoolbacklogdrain.h).

    Two remote caches, of one batch each, fill it when it is not away and push it to one backlog, over
    and over, so that a batch comes back while the other remote cache still holds an old head. What
    finds no batch goes as a list of chunks, which is backlog.pml's; and so does now and then what is
    in one, as if too many were away: then the remote cache holds it, and fills it anew. (With two batches each the
    search is right so far as it gets in a minute, 35 million states, and does not end.) The owner
    takes the list whole and unpacks as many as there is room for, keeping the rest (an allocation), or all of
    them, the kept ones too, once it has lowered hasBacklog, which is backlog.pml's (idle, trim, and before it
    asks for a page).

    Properties
      P1  What the owner reads out of a batch is what was sent in it, and is read once.
      P2  Nobody but its holder writes to a batch: not its chunk, not its link.
      P3  When all pushes are over and the flag is down, no batch is listed or kept, and every
          chunk that was sent has arrived.
      P4  Then no batch is away but those that their remote caches hold.
      P5  No state without a way on (spin's own check).

    Not shown here: a batch that is unpacked in part, for it stays the first that is kept; and one
    memory, in one order. The pairs of release and acquire, on the head and on
    isAway, are named in the two headers, and watched by TSan.

    Seeded errors, each of which must be found: FILL_WITHOUT_LOOK (at isAway),
    GIVE_BACK_BEFORE_READING, LINK_AFTER_GIVING_BACK (the next one is looked up too late),
    KEPT_ARE_FORGOTTEN (by what lowers the flag), PUSH_WITHOUT_CAS.
*/

#define REMOTE_CACHES 2
#define BATCHES REMOTE_CACHES
#ifndef SENDS
#  define SENDS 3 /* of each remote cache */
#endif
#define CHUNKS (REMOTE_CACHES * SENDS)

mtype = { Ring, RemoteCache, Listed, Owner }

byte head;
byte kept; /* the first one in bin.batches */
byte next[BATCHES + 1];
byte content[BATCHES + 1];
bit isAway[BATCHES + 1];
mtype holder[BATCHES + 1];
bit hasBacklog;

bit sent[CHUNKS + 1];
bit arrived[CHUNKS + 1];
byte working = REMOTE_CACHES;

proctype remoteCache(byte id)
{
    byte sends;
    byte batch;
    byte seen;

    do
    :: sends < SENDS ->
        sends++;
        if
        :: batch != 0 -> skip /* the slot has one */
        :: else ->
            /* RemoteBatchRing::takeBack() */
#ifdef FILL_WITHOUT_LOOK
            batch = id + 1;
#else
            atomic {
                if
                :: !isAway[id + 1] -> batch = id + 1
                :: else -> goto next_one /* as a list */
                fi
            };
            assert(holder[batch] == Ring);
#endif
            atomic { isAway[batch] = 1; holder[batch] = RemoteCache }
        fi;
        atomic { assert(holder[batch] == RemoteCache); content[batch] = id * SENDS + sends }; /* P2 */
        /* RemoteBatchRing::letGo() */
        if
        :: skip
        :: goto next_one /* as a list */
        fi;
        atomic {
            sent[content[batch]] = 1; /* is about to be */
            seen = head
        };
retry:
        atomic { assert(holder[batch] == RemoteCache); next[batch] = seen }; /* P2 */
#ifdef PUSH_WITHOUT_CAS
        if
        :: head == seen -> skip
        :: else -> seen = head; goto retry
        fi;
        atomic { head = batch; holder[batch] = Listed };
#else
        atomic {
            if
            :: head == seen -> head = batch; holder[batch] = Listed
            :: seen = head; goto retry
            fi
        };
#endif
        hasBacklog = 1;
        atomic { batch = 0; seen = 0 };
next_one:
        skip
    :: else -> break
    od;
    working--
}

/* What `first` leads to; all of it, or until there is no room. */
inline unpack(whole)
{
    do
    :: first != 0 && !whole -> break /* full */
    :: first != 0 ->
        atomic { assert(holder[first] == Listed || holder[first] == Owner); holder[first] = Owner };
#ifdef GIVE_BACK_BEFORE_READING
        atomic { isAway[first] = 0; holder[first] = Ring };
        chunk = content[first];
        following = next[first];
#else
        atomic { assert(holder[first] == Owner); chunk = content[first] }; /* P2 */
#  ifdef LINK_AFTER_GIVING_BACK
        atomic { isAway[first] = 0; holder[first] = Ring };
        following = next[first];
#  else
        following = next[first];
        atomic { isAway[first] = 0; holder[first] = Ring };
#  endif
#endif
        atomic {
            assert(sent[chunk] && !arrived[chunk]); /* P1 */
            arrived[chunk] = 1;
            chunk = 0;
            first = following;
            following = 0
        }
    :: else -> break
    od;
    atomic { kept = first; first = 0 }
}

inline take()
{
    if
    :: head != 0 -> atomic { first = head; head = 0 }
    :: else -> skip
    fi
}

proctype owner()
{
    byte first;
    byte chunk;
    byte following;

    do
    :: hasBacklog ->
        hasBacklog = 0;
#ifndef KEPT_ARE_FORGOTTEN
        first = kept;
        unpack(true);
        take();
        unpack(true)
#else
        if
        :: kept == 0 -> take(); unpack(true)
        :: else -> skip
        fi
#endif
    :: kept != 0 || head != 0 ->
        first = kept;
        unpack(false);
        if
        :: kept == 0 -> take(); unpack(false)
        :: else -> skip
        fi
    :: (working == 0 && !hasBacklog) -> break
    od;

    assert(head == 0 && kept == 0); /* P3 */
    for (chunk : 1 .. CHUNKS) {
        assert(sent[chunk] == arrived[chunk]) /* P3 */
    }
    for (chunk : 1 .. BATCHES) {
        assert((!isAway[chunk] && holder[chunk] == Ring)
               || (isAway[chunk] && holder[chunk] == RemoteCache)) /* P4 */
    }
}

init
{
    byte i;

    atomic {
        for (i : 1 .. BATCHES) {
            holder[i] = Ring
        };
        run remoteCache(0);
        run remoteCache(1);
        run owner()
    }
}
