// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    Parcels: src/allocator/core/qpoolparcel.h, with the outbox that fills them, the backlog that
    takes them, and the bin that keeps those it has no room for (core/qpoolslowpath.h).

    Two outboxes, of one parcel each, fill it when it is not away and push it to one backlog, over
    and over, so that a parcel comes back while the other outbox still holds an old head. What
    finds no parcel goes as a list of chunks, which is backlog.pml's; and so does now and then what is
    in one, as if too many were away: then the outbox holds it, and fills it anew. (With two parcels each the
    search is right so far as it gets in a minute, 35 million states, and does not end.) The owner
    takes the list whole and unpacks as many as there is room for, keeping the rest (an allocation), or all of
    them, the kept ones too, once it has lowered hasBacklog (idle, trim, and before it asks for
    a page).

    Properties
      P1  What the owner reads out of a parcel is what was sent in it, and is read once.
      P2  Nobody but its holder writes to a parcel: not its chunk, not its link.
      P3  When all pushes are over and the flag is down, no parcel is listed or kept, and every
          chunk that was sent has arrived.
      P4  Then no parcel is away but those that their outboxes hold.
      P5  No state without a way on (spin's own check).

    Not shown here: a parcel that is unpacked in part, for it stays the first that is kept; and one
    memory, in one order. The pairs of release and acquire, on the head and on
    isAway, are named in the two headers, and watched by TSan.

    Seeded errors, each of which must be found: FILL_WITHOUT_LOOK (at isAway),
    GIVE_BACK_BEFORE_READING, LINK_AFTER_GIVING_BACK (the next one is looked up too late),
    KEPT_ARE_FORGOTTEN (by what lowers the flag), PUSH_WITHOUT_CAS.
*/

#define OUTBOXES 2
#define PARCELS OUTBOXES
#ifndef SENDS
#  define SENDS 3 /* of each outbox */
#endif
#define CHUNKS (OUTBOXES * SENDS)

mtype = { Ring, Outbox, Listed, Owner }

byte head;
byte kept; /* the first one in bin.parcels */
byte next[PARCELS + 1];
byte content[PARCELS + 1];
bit isAway[PARCELS + 1];
mtype holder[PARCELS + 1];
bit hasBacklog;

bit sent[CHUNKS + 1];
bit arrived[CHUNKS + 1];
byte working = OUTBOXES;

proctype outbox(byte id)
{
    byte sends;
    byte parcel;
    byte seen;

    do
    :: sends < SENDS ->
        sends++;
        if
        :: parcel != 0 -> skip /* the batch has one */
        :: else ->
            /* ParcelRing::takeBack() */
#ifdef FILL_WITHOUT_LOOK
            parcel = id + 1;
#else
            atomic {
                if
                :: !isAway[id + 1] -> parcel = id + 1
                :: else -> goto next_one /* as a list */
                fi
            };
            assert(holder[parcel] == Ring);
#endif
            atomic { isAway[parcel] = 1; holder[parcel] = Outbox }
        fi;
        atomic { assert(holder[parcel] == Outbox); content[parcel] = id * SENDS + sends }; /* P2 */
        /* ParcelRing::maySend() */
        if
        :: skip
        :: goto next_one /* as a list */
        fi;
        atomic {
            sent[content[parcel]] = 1; /* is about to be */
            seen = head
        };
retry:
        atomic { assert(holder[parcel] == Outbox); next[parcel] = seen }; /* P2 */
#ifdef PUSH_WITHOUT_CAS
        if
        :: head == seen -> skip
        :: else -> seen = head; goto retry
        fi;
        atomic { head = parcel; holder[parcel] = Listed };
#else
        atomic {
            if
            :: head == seen -> head = parcel; holder[parcel] = Listed
            :: seen = head; goto retry
            fi
        };
#endif
        hasBacklog = 1;
        atomic { parcel = 0; seen = 0 };
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
    for (chunk : 1 .. PARCELS) {
        assert((!isAway[chunk] && holder[chunk] == Ring)
               || (isAway[chunk] && holder[chunk] == Outbox)) /* P4 */
    }
}

init
{
    byte i;

    atomic {
        for (i : 1 .. PARCELS) {
            holder[i] = Ring
        };
        run outbox(0);
        run outbox(1);
        run owner()
    }
}
