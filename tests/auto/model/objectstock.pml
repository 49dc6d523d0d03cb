// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

/*
    The stocks of an object cache and its depot: src/pools/objects/qobjectstock.h,
    qobjectdepot.h and, for how a stock changes hands, qthreadstocks.h.

    Two threads take and give back objects of one category, with a stock of two slots each. The owner goes
    up and down in its slots without a lock. Who finds its stock empty takes what the depot has, else
    steals from the other's stock, else makes an object; who finds it full gives the older half to the
    depot. All of this is done with the depot's lock held. The first thread ends: it empties its stock and
    lets go of it, and a third thread takes it over. Users write to their objects.

    The order is C++'s: a thread knows of what was written to an object if it wrote that itself, or
    acquired a slot into which one that knew released the object, or took a lock after one that knew
    had it. What an exchange without acquire finds it does not know of.

    Properties
      P1  An object is with one user, or in one slot, or in the depot.
      P2  Who takes an object knows what its last user wrote.
      P3  In the end no object is lost.
      P4  What the owner puts an object into is empty.
      P5  Nobody makes an object while another stock has one that its owner does not take meanwhile.

    Left out: the counters, which are statistics, and a hint of which stock to steal from; that nobody
    steals while few objects are idle.

    Seeded errors, each of which must be found: OWNER_STORES (takes by a load and a store of null),
    THIEF_STORES, RELAXED_GIVE, RELAXED_STEAL, GAP_TAKEN (that a slot below the top is empty is not looked
    at), LEFT_BEHIND (what the older half leaves in the stock is moved down, and not taken out of its
    slot), DEPOT_UNLOCKED, NEVER_STEALS, OWNER_TOO_EARLY (a stock is let go of before it is empty).
*/

#define LIMIT 2
#define MOST 6 /* objects */
#define BIT(object) (1 << ((object) - 1))
#define SLOT(stock, at) slots[(stock) * LIMIT + (at)]

byte slots[4]; /* 0: empty */
byte top[2];
byte owner[2]; /* of a stock: the thread, 1 to 3; 0: nobody */
byte depot[MOST];
byte inDepot;
byte made;
bit depotLock;
bit threadsLock;
byte used; /* sets of objects, a bit each: with a user */
byte known[4]; /* by each thread, as last written */
byte depotShows; /* by the depot's lock, */
byte threadsShow; /* by that of ThreadStocks, */
byte slotShows; /* and by the slot that the object is in */
bit takenMeanwhile;

inline lock(which, shows)
{
    atomic { !which; which = 1; known[me] = known[me] | shows }
}

inline unlock(which, shows)
{
    atomic { shows = shows | known[me]; which = 0 }
}

inline lockDepot()
{
#ifndef DEPOT_UNLOCKED
    lock(depotLock, depotShows)
#else
    skip
#endif
}

inline unlockDepot()
{
#ifndef DEPOT_UNLOCKED
    unlock(depotLock, depotShows)
#else
    skip
#endif
}

/* The owner: a store of an object, which releases. */
inline put(object)
{
    atomic {
        assert(top[mine] < LIMIT);
        assert(SLOT(mine, top[mine]) == 0); /* P4 */
        SLOT(mine, top[mine]) = object;
        slotShows = slotShows & ~BIT(object);
#ifndef RELAXED_GIVE
        slotShows = slotShows | (known[me] & BIT(object));
#endif
        top[mine] = top[mine] + 1
    }
}

/* The owner: the object that it put in last, or 0. */
inline takeAtHand()
{
    got = 0;
    do
    :: got == 0 && top[mine] > 0 ->
        top[mine] = top[mine] - 1;
#ifdef GAP_TAKEN
        atomic {
            got = SLOT(mine, top[mine]);
            SLOT(mine, top[mine]) = 0;
            takenMeanwhile = 1;
            assert(got != 0)
        }
#else
        got = SLOT(mine, top[mine]);
        if
        :: got != 0 ->
#  ifdef OWNER_STORES
            atomic { SLOT(mine, top[mine]) = 0; takenMeanwhile = 1 }
#  else
            atomic {
                got = SLOT(mine, top[mine]);
                SLOT(mine, top[mine]) = 0;
                takenMeanwhile = 1
            }
#  endif
        :: else -> skip
        fi
#endif
    :: else -> break
    od
}

/* A thief, with the depot's lock: one object of the other stock to its own. */
inline steal()
{
    i = 0;
    do
    :: i < LIMIT ->
        got = SLOT(other, i);
        if
        :: got != 0 ->
#ifdef THIEF_STORES
            SLOT(other, i) = 0;
#else
            atomic { got = SLOT(other, i); SLOT(other, i) = 0 };
#endif
            if
            :: got != 0 ->
#ifndef RELAXED_STEAL
                known[me] = known[me] | (slotShows & BIT(got));
#endif
                break
            :: else -> i++
            fi
        :: else -> i++
        fi
    :: else -> got = 0; break
    od
}

inline take()
{
    takeAtHand();
    if
    :: got == 0 ->
        lockDepot();
        if
        :: inDepot > 0 ->
            got = depot[inDepot - 1];
            inDepot = inDepot - 1;
            put(got);
            takeAtHand()
        :: else ->
            atomic {
                wasThere = SLOT(other, 0) != 0 || SLOT(other, 1) != 0;
                takenMeanwhile = 0
            };
#ifndef NEVER_STEALS
            steal();
#endif
            if
            :: got != 0 ->
                put(got);
                takeAtHand()
            :: else ->
                assert(!wasThere || takenMeanwhile); /* P5 */
                atomic { made++; got = made; known[me] = known[me] | BIT(got) }
            fi
        fi;
        unlockDepot()
    :: else -> skip
    fi;
    atomic {
        if
        :: got != 0 ->
            assert(!(used & BIT(got))); /* P1 */
            assert(known[me] & BIT(got)); /* P2 */
            used = used | BIT(got);
            /* It is written to. */
            known[1] = known[1] & ~BIT(got);
            known[2] = known[2] & ~BIT(got);
            known[3] = known[3] & ~BIT(got);
            depotShows = depotShows & ~BIT(got);
            threadsShow = threadsShow & ~BIT(got);
            slotShows = slotShows & ~BIT(got);
            known[me] = known[me] | BIT(got)
        :: else -> skip
        fi;
        wasThere = 0;
        i = 0
    }
}

/* The owner, with the depot's lock: all but \a kept objects go to the depot. */
inline takeOldest(kept)
{
    younger = 0;
    i = 0;
    do
    :: i < top[mine] ->
        atomic {
            got = SLOT(mine, i);
#ifdef LEFT_BEHIND
            if
            :: i == 0 || kept == 0 -> SLOT(mine, i) = 0
            :: else -> skip
            fi
#else
            SLOT(mine, i) = 0
#endif
        };
        if
        :: got != 0 && i == top[mine] - 1 && kept == 1 -> younger = got
        :: got != 0 && !(i == top[mine] - 1 && kept == 1) ->
            depot[inDepot] = got;
            inDepot = inDepot + 1
        :: else -> skip
        fi;
        i++
    :: else -> break
    od;
    top[mine] = 0;
    if
    :: younger != 0 -> put(younger)
    :: else -> skip
    fi
}

inline give(object)
{
    atomic { used = used & ~BIT(object) };
    if
    :: top[mine] < LIMIT -> put(object)
    :: else ->
        lockDepot();
        takeOldest(1);
        put(object);
        unlockDepot()
    fi;
    atomic { got = 0; younger = 0; i = 0; object = 0 }
}

inline letGo()
{
    lock(threadsLock, threadsShow);
#ifdef OWNER_TOO_EARLY
    owner[mine] = 0;
    unlock(threadsLock, threadsShow);
    lockDepot();
    takeOldest(0);
    unlockDepot()
#else
    lockDepot();
    takeOldest(0);
    unlockDepot();
    owner[mine] = 0;
    unlock(threadsLock, threadsShow)
#endif
}

/* Needs three at once, so that its stock is too small, and ends. */
proctype needsMany()
{
    byte me = 1, mine = 0, other = 1;
    byte got, younger, i, a, b, c;
    bit wasThere;

    take(); a = got;
    take(); b = got;
    take(); c = got;
    give(a);
    give(b);
    give(c);
    letGo()
}

proctype needsOne()
{
    byte me = 2, mine = 1, other = 0;
    byte got, younger, i, a;
    bit wasThere;

    take(); a = got;
    give(a);
    take(); a = got;
    give(a)
}

/* Begins when there is a stock that nobody has. */
proctype comesLater()
{
    byte me = 3, mine = 0, other = 1;
    byte got, younger, i, a;
    bit wasThere;

    atomic {
        owner[mine] == 0 && !threadsLock;
        known[me] = known[me] | threadsShow;
        owner[mine] = me
    };
    take(); a = got;
    give(a)
}

init
{
    byte at, found;
    byte seen;

    atomic {
        owner[0] = 1;
        owner[1] = 2;
        run needsMany();
        run needsOne();
        run comesLater()
    };
    _nr_pr == 1;
    atomic {
        at = 0;
        do
        :: at < 4 ->
            if
            :: slots[at] != 0 ->
                assert(!(seen & BIT(slots[at]))); /* P1 */
                seen = seen | BIT(slots[at]);
                found++
            :: else -> skip
            fi;
            at++
        :: else -> break
        od;
        at = 0;
        do
        :: at < inDepot ->
            assert(!(seen & BIT(depot[at])));
            seen = seen | BIT(depot[at]);
            found++;
            at++
        :: else -> break
        od;
        assert(used == 0);
        assert(found == made) /* P3 */
    }
}
