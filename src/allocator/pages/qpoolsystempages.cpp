// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsystempages.h"

QPOOL_BEGIN_NAMESPACE

PageHeader *SystemPages::acquirePage(std::size_t chunkSize) noexcept
{
    {
        Locker locker(s_lock);
        PageHeader *page = s_pages.takeCached(chunkSize);
        if (!page)
            page = takeDecommitted();
        if (page) {
            ++s_state.reused;
            return page;
        }
        if (ensureFresh()) {
            page = s_pages.takeFresh();
            memoryChanged();
            return page;
        }
        // The system has no more: use a page that waits for another class.
        if (PageHeader *page = s_pages.takeAnyCached())
            return page;
        if (s_pages.leavingPages() == 0)
            return nullptr;
    }
    return acquireLeaving();
}

// The last resort: a page that another thread is giving back, or has just given back.
PageHeader *SystemPages::acquireLeaving() noexcept
{
    Locker leaving(s_leavingLock);
    Locker locker(s_lock);
    if (PageHeader *page = s_leaving) {
        s_leaving = page->next;
        return s_pages.useLeaving(page);
    }
    PageHeader *page = s_pages.takeAnyCached();
    return page ? page : takeDecommitted();
}

// The next two functions: the caller holds the lock.
PageHeader *SystemPages::takeDecommitted() noexcept
{
    PageHeader *page = s_pages.takeDecommitted();
    if (page && !Os::recommit(s_pages.pageOf(page), PageSize)) {
        s_pages.putDecommitted(page);
        return nullptr;
    }
    if (page) {
        noteSwing();
        memoryChanged();
    }
    return page;
}

// A page that was given back is needed again: the load varies by more than is kept, and each time
// costs a system call and sixteen page faults per page. So one more page is kept for each, until
// none was needed again for a while, or a call of idle() or trim() shows that nothing will be
// needed soon. Together with the pages in use, the pages kept never exceed the largest number that
// was once in use.
void SystemPages::noteSwing() noexcept
{
    if (s_state.swungOut == 0)
        return; // idle() or trim() gave it back
    --s_state.swungOut;
    s_state.swungAt = Os::milliseconds();
    if (s_state.swing < s_state.mostUsed)
        ++s_state.swing;
}

std::size_t SystemPages::keptForSwing() noexcept
{
    const std::size_t used = s_pages.usedPages();
    const std::size_t most = s_state.mostUsed > used ? s_state.mostUsed - used : 0;
    return s_state.swing < most ? s_state.swing : most;
}

void SystemPages::forgetSwing() noexcept
{
    constexpr std::uint32_t halfLife = 500; // ms
    const std::uint32_t now = Os::milliseconds();
    if (now - s_state.swungAt < halfLife)
        return;
    s_state.swungAt = now;
    s_state.swing /= 2;
}

bool SystemPages::ensureFresh() noexcept
{
    if (s_pages.hasFresh())
        return true;
    const bool grown = s_pages.grow();
    memoryChanged();
    return grown;
}

void SystemPages::releasePage(PageHeader *page) noexcept
{
    Excess excess;
    {
        Locker locker(s_lock);
        if (s_pages.isWhole(page))
            s_state.grown.whole = 1;
        else
            s_state.grown.partial = s_pages.heldBytes(page);
        if (s_state.mostUsed < s_pages.usedPages())
            s_state.mostUsed = s_pages.usedPages();
        if (s_state.mostSinceIdle < s_pages.usedPages())
            s_state.mostSinceIdle = s_pages.usedPages();
        s_pages.putCached(page);
        excess = beginGivingBack();
    }
    if (!excess.isNone())
        giveBackExcess(excess, Giver::Other);
}

// Gives back what is overdue, which Wait::Any makes all that waits.
void SystemPages::endWait(Wait which) noexcept
{
    Excess excess;
    {
        Locker locker(s_lock);
        if (!s_waiting.load(std::memory_order_relaxed))
            return;
        if (which == Wait::Any)
            s_state.waitingSince = Os::milliseconds() - WaitingMilliseconds;
        s_state.grown.whole = 1;
        excess = beginGivingBack();
    }
    if (!excess.isNone())
        giveBackExcess(excess, Giver::Other);
}

void *SystemPages::allocateMetadata(std::size_t bytes) noexcept
{
    if (bytes > MostBytes)
        return nullptr;
    bytes = (bytes + CacheLineSize - 1) / CacheLineSize * CacheLineSize;
    Locker locker(s_lock);
    Metadata &metadata = s_state.metadata;
    if (metadata.has(bytes)) {
        void *place = metadata.allocate(bytes, 0);
        memoryChanged();
        return place;
    }
    if (!s_pages.initialize() || !s_state.metadataRefusals.countRequest())
        return nullptr;
    const std::size_t region = ReservationSizes::metadataBytes(s_pages.rangeBytes());
    void *place = metadata.allocate(bytes, region);
    s_state.metadataRefusals.note(place != nullptr);
    memoryChanged();
    return place;
}

// A program that does the same at each turn of its event loop, such as building a list and dropping
// it, would fault in at each turn what idle() gave back after the last. So pages that were used
// again since the last idle() are kept for the next turn, if they are few: the load went down by at
// most one and a half times what is in use now, and by at most 8 MiB. A limit of what is in use now
// would be too low: many programs vary by about that much when they replace a large document. Of a
// larger variation, or of a burst, nothing is kept: keeping a part would save little, and there
// might be no call for long that gives it back. What the next turn does not use goes back then, see
// takeCachedLow().
std::size_t SystemPages::takeKeptForTurn() noexcept
{
    constexpr std::size_t most = 8 * 1024 * 1024 / PageSize;
    const std::size_t used = s_pages.usedPages();
    const std::size_t reused = s_state.reused;
    const std::size_t swing = s_state.mostSinceIdle > used ? s_state.mostSinceIdle - used : 0;
    s_state.reused = 0;
    s_state.mostSinceIdle = used;
    if (swing > used + used / 2 || swing > most)
        return 0;
    return swing < reused ? swing : reused;
}

void SystemPages::idle() noexcept
{
    std::size_t pages;
    {
        Locker locker(s_lock);
        const std::size_t unused = s_pages.takeCachedLow();
        const std::size_t cached = s_pages.cachedPages();
        // Less than while the program is busy: all but a few percent of what a burst took should go
        // back.
        const std::size_t limit = 8 + s_pages.usedPages() / 32 + takeKeptForTurn();
        const std::size_t excess = cached > limit ? cached - limit : 0;
        pages = unused > excess ? unused : excess;
        s_state.swing = s_state.swungOut = 0;
        setWaiting(false);
        const bool isLeft = s_state.hasGiver();
        if (isLeft && s_state.asked < pages)
            s_state.asked = pages;
        if (isLeft || pages == 0)
            return;
        s_state.giving = true;
    }
    giveBackExcess({ pages, 0 }, Giver::Other);
}

void SystemPages::beginTrim() noexcept
{
    Locker locker(s_lock);
    ++s_state.trimming;
}

void SystemPages::endTrim() noexcept
{
    std::size_t pages;
    {
        // Pages that another thread is putting back are counted only afterwards.
        Locker leaving(s_leavingLock);
        Locker locker(s_lock);
        pages = s_pages.cachedPages();
        s_state.asked = 0;
        s_state.swing = s_state.swungOut = 0;
        setWaiting(false);
        takeKeptForTurn();
    }
    giveBackExcess({ pages, 0 }, Giver::Trim);
}

void SystemPages::surviveFork() noexcept
{
    {
        Locker locker(s_lock);
        if (s_state.survivesFork)
            return;
        s_state.survivesFork = true;
    }
    const auto before = [] {
        s_leavingLock.lockToFork();
        s_lock.lockToFork();
    };
    const auto after = [] {
        s_lock.unlockAfterFork();
        s_leavingLock.unlockAfterFork();
    };
    // Another thread that was giving pages back is not in the child. None of its calls is half done: it
    // holds the lock of these pages during a call. The only thread of a process goes on with what it
    // was doing when it returns from the signal handler that forked.
    const auto inChild = [] {
        if (s_lock.isHeldToFork()) {
            while (PageHeader *page = s_leaving) {
                s_leaving = page->next;
                s_pages.endLeaving(page, false);
            }
            s_state.giving = false;
            s_state.trimming = s_state.asked = 0;
        }
        s_lock.unlockAfterFork();
        s_leavingLock.unlockAfterFork();
    };
    // Called without the lock, because this may allocate.
    Os::aroundFork(before, after, inChild);
}

PageMemory SystemPages::memory() noexcept
{
    Locker locker(s_lock);
    return currentMemory();
}

void SystemPages::publishMemory(PublishedMemory *published) noexcept
{
    Locker locker(s_lock);
    s_state.published = published;
    memoryChanged();
}

// The next two functions: the caller holds the lock.
PageMemory SystemPages::currentMemory() noexcept
{
    PageMemory memory;
    memory.reserved = s_pages.reservedBytes() + s_state.metadata.reserved();
    memory.committed = s_pages.headerBytes() + s_state.metadata.committed()
            + (s_pages.pagesTaken() - s_pages.decommittedPages()) * PageSize;
    memory.decommitted = s_pages.decommittedPages() * PageSize;
    return memory;
}

void SystemPages::memoryChanged() noexcept
{
    if (!s_state.published)
        return;
    const PageMemory memory = currentMemory();
    s_state.published->reserved.store(memory.reserved, std::memory_order_relaxed);
    s_state.published->committed.store(memory.committed, std::memory_order_relaxed);
    s_state.published->decommitted.store(memory.decommitted, std::memory_order_relaxed);
}

const void *SystemPages::identity() noexcept
{
    return &s_pages;
}

template struct OnePerProcess<GrowingSpan>;
template struct OnePerProcess<SystemPagesState>;

// One per module, unlike a member of the class, of which the dynamic linker keeps one for all
// modules.
static const StateCopy s_copy(SystemPages::identity());

QPOOL_END_NAMESPACE
