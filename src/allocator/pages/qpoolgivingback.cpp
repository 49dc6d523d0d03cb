// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// How SystemPages gives pages back to the system, and how many.

#include "qpoolsystempages.h"

QPOOL_BEGIN_NAMESPACE

// The limits. Of wholly touched pages, keep an eighth of what is in use and at least half a
// megabyte; while little is in use, keep as much as is in use. A program whose load varies then
// does not pay a system call and sixteen page faults per page, and one that shrinks keeps little.
// Of partly touched pages, keep a megabyte and a half in all: a thread has dozens of them, one for
// each size class, and the next thread needs them all at once. Half a megabyte more may gather, so
// that several pages go back at once. These functions return how many pages are too many; zero
// while they gather.
std::size_t SystemPages::excessOfWhole() noexcept
{
    constexpr std::size_t little = 64;
    const std::size_t used = s_pages.usedPages();
    const std::size_t asMuch = used < little ? used : little;
    std::size_t limit = 8 + (used / 8 > asMuch ? used / 8 : asMuch);
    const std::size_t count = s_pages.wholeCached();
    if (count > limit + GatheredPages && s_state.swing > 0) {
        forgetSwing();
        limit += keptForSwing();
    }
    if (count <= limit + GatheredPages) {
        setWaiting(false);
        return 0;
    }
    return waitForNeighbours(count) ? 0 : count - limit;
}

// Pages whose chunks were freed in random order become empty in random order. Of a few such pages
// none are adjacent, so each would cost a system call. But if pages have many chunks, most chunks are
// free by then, and most other pages become empty soon: it is worth waiting, for a short time, until
// little is left in use. Pages that become empty in the order of their addresses do not wait, unless
// those given back before them were scattered. Notes and returns whether they wait.
bool SystemPages::waitForNeighbours(std::size_t cached) noexcept
{
    if (!s_state.scattered || cached / MostCachedForOneUsed >= s_pages.usedPages()) {
        setWaiting(false);
        return false;
    }
    const std::uint32_t now = Os::milliseconds();
    if (!s_waiting.load(std::memory_order_relaxed))
        s_state.waitingSince = now;
    const bool waits = now - s_state.waitingSince < WaitingMilliseconds;
    setWaiting(waits);
    return waits;
}

// Called when pages have been given back, or refused.
void SystemPages::noteScattered() noexcept
{
    if (s_state.gonePages >= GatheredPages)
        s_state.scattered = s_state.goneRuns > s_state.gonePages / 2;
    s_state.gonePages = s_state.goneRuns = 0;
}

// Each partly touched page holds \a heldBytes.
std::size_t SystemPages::excessOfPartial(std::size_t heldBytes) noexcept
{
    constexpr std::size_t limit = 24 * PageSize;
    const std::size_t bytes = s_pages.partialBytes();
    if (bytes <= limit + GatheredPages * PageSize)
        return 0;
    return (bytes - limit + heldBytes - 1) / heldBytes;
}

// Returns the excess of the kinds of pages that were released since the last call. The caller holds
// the lock.
SystemPages::Excess SystemPages::takeExcess() noexcept
{
    Excess excess = s_state.grown;
    s_state.grown = Excess();
    if (excess.whole > 0)
        excess.whole = excessOfWhole();
    if (excess.partial > 0)
        excess.partial = excessOfPartial(excess.partial);
    s_state.swungOut += excess.whole + excess.partial;
    if (excess.whole < s_state.asked)
        excess.whole = s_state.asked;
    s_state.asked = 0;
    return excess;
}

// Returns what the calling thread is to give back, by giveBackExcess(): nothing if another thread
// gives pages back, because that one will look for more. The caller holds the lock.
SystemPages::Excess SystemPages::beginGivingBack() noexcept
{
    if (s_state.hasGiver())
        return { };
    const Excess excess = takeExcess();
    s_state.giving = !excess.isNone();
    return excess;
}

// Whether a thread in trim() does the rest. It gives back all that is cached, and does not finish
// while pages are about to leave.
bool SystemPages::givesWay(Giver giver) noexcept
{
    if (giver == Giver::Trim)
        return false;
    Locker locker(s_lock);
    return s_state.trimming > 0;
}

// Gives pages back until there is no excess left, or another thread does. The calling thread is
// counted in State.
void SystemPages::giveBackExcess(Excess excess, Giver giver) noexcept
{
    for (;;) {
        if (giveBack(excess.whole, true, giver) && excess.partial > 0)
            giveBack(excess.partial, false, giver);
        Locker locker(s_lock);
        noteScattered();
        if (giver == Giver::Trim) {
            excess = takeExcess();
            if (excess.isNone() && s_pages.leavingPages() == 0) {
                --s_state.trimming;
                return;
            }
        } else {
            excess = s_state.trimming > 0 ? Excess() : takeExcess();
            if (excess.isNone()) {
                s_state.giving = false;
                return;
            }
        }
    }
}

// Gives back at most \a pages of the cached ones, in the order of their addresses, and those that
// were already about to leave. While the system refuses, as it does when the program has locked its
// memory, only a few are tried and the rest stays. Returns false if the caller gave way.
bool SystemPages::giveBack(std::size_t pages, bool wholeFirst, Giver giver) noexcept
{
    bool refused = false;
    do {
        if (pages > 0)
            gather(pages, wholeFirst);
        while (giveBackRun(refused)) {
            if (givesWay(giver))
                return false;
        }
    } while (pages > 0 && !refused);
    return true;
}

// Collects as many of \a pages as are to go at once, or all that there are; subtracts them from
// \a pages. A few pages are taken from their lists one by one, in steps. If they are many, and at
// least half of those cached, all lists are taken, which takes the same short time whatever their
// number, and the pages to keep are put back. Taking many pages step by step would keep other
// threads waiting, because a lock that is taken again as soon as it is free is seldom obtained by
// threads that were woken meanwhile.
void SystemPages::gather(std::size_t &pages, bool wholeFirst) noexcept
{
    PageHeader *lists[GrowingSpan::ListCount];
    std::size_t left = 0;
    std::size_t kept = 0;
    bool all = false;
    Locker leaving(s_leavingLock);
    {
        Locker locker(s_lock);
        left = s_state.takesNothing && pages > RunPages ? RunPages : pages;
        pages -= left;
        const std::size_t cached = s_pages.cachedPages();
        all = wholeFirst && left > StepPages && left >= cached / 2;
        if (all) {
            kept = cached > left ? cached - left : 0;
            s_pages.beginLeavingAll(lists, kept);
            left = 0;
        }
    }
    if (all) {
        // The pages that are to go first are at the end of the lists.
        for (PageHeader *list : lists) {
            kept -= putBack(list, kept);
            while (PageHeader *page = list) {
                list = page->next;
                page->next = s_leaving;
                s_leaving = page;
            }
        }
    }
    while (left > 0) {
        Locker locker(s_lock);
        for (std::size_t step = 0; left > 0 && step < StepPages; ++step, --left) {
            PageHeader *page = s_pages.beginLeaving(wholeFirst);
            if (!page) {
                left = pages = 0;
                break;
            }
            page->next = s_leaving;
            s_leaving = page;
        }
    }
    s_leaving = PageOrder::sort(s_leaving);
}

// Puts at most \a most pages of a list, which were about to leave, back into the cache; returns how
// many.
std::size_t SystemPages::putBack(PageHeader *&list, std::size_t most) noexcept
{
    std::size_t count = 0;
    while (list && count < most) {
        Locker locker(s_lock);
        for (std::size_t step = 0; list && count < most && step < StepPages; ++step, ++count) {
            PageHeader *page = list;
            list = page->next;
            s_pages.endLeaving(page, false);
        }
    }
    return count;
}

// Gives the next adjacent pages back in one call; returns false if there are none.
bool SystemPages::giveBackRun(bool &refused) noexcept
{
    Locker leaving(s_leavingLock);
    PageHeader *page = s_leaving;
    if (!page)
        return false;
    // After a refusal, do not ask the system about the others: they stay, step by step.
    std::size_t count = PageOrder::runLength(page, RunPages);
    if (!refused)
        refused = !Os::decommit(s_pages.pageOf(page), count * PageSize);
    Locker locker(s_lock);
    s_state.gonePages += count;
    ++s_state.goneRuns;
    for (; count > 0; --count) {
        page = s_leaving;
        s_leaving = page->next;
        s_pages.endLeaving(page, !refused);
    }
    s_state.takesNothing = refused;
    memoryChanged();
    return true;
}

QPOOL_END_NAMESPACE
