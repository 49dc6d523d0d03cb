// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsystempages.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

static std::size_t pagesFor(std::size_t bytes) noexcept
{
    return (bytes + SystemPages::PageSize - 1) / SystemPages::PageSize;
}

PageHeader *SystemPages::acquirePage() noexcept
{
    bool isZero;
    {
        Locker locker(s_lock);
        freePending();
        PageHeader *page = take(1, &isZero);
        if (page || s_state.leaving == 0)
            return page;
    }
    // The last resort: what another thread is giving back, or has just given back.
    Locker giving(s_givingLock);
    Locker locker(s_lock);
    return take(1, &isZero);
}

void SystemPages::releasePage(PageHeader *page) noexcept
{
    Locker locker(s_lock);
    freePending();
    put(page, 1);
    noteTime(Os::milliseconds());
}

// In the next functions that return or take pages the caller holds the lock.

// Cached pages first, then those without memory, then fresh ones.
PageHeader *SystemPages::take(std::size_t count, bool *isZero) noexcept
{
    *isZero = false;
    if (PageHeader *page = s_state.free.take(count, FreeRuns::Cached))
        return page;
    PageHeader *page = count > 1 ? s_state.free.takeAcross(count) : nullptr;
    *isZero = !page;
    if (!page)
        page = s_state.free.take(count, FreeRuns::Gone);
    if (page && !recommit(page, count))
        return nullptr;
    if (!page && ensureFresh(count))
        page = s_pages.takeFresh(count);
    if (page)
        memoryChanged();
    return page;
}

// Of these pages some may have no memory. If there is none, they are free without it.
bool SystemPages::recommit(PageHeader *first, std::size_t count) noexcept
{
    char *place = s_pages.pageOf(first);
    if (QPOOL_LIKELY(Os::recommit(place, count * PageSize)))
        return true;
    Os::decommit(place, count * PageSize);
    s_state.free.put(first, count, FreeRuns::Gone);
    return false;
}

// What is mapped already is no request to the system.
bool SystemPages::ensureFresh(std::size_t count) noexcept
{
    if (s_pages.hasFresh(count))
        return true;
    if (!s_state.refusals.countRequest())
        return false;
    const bool granted = s_state.refusals.note(s_pages.ensureFresh(count));
    memoryChanged(); // also by a request that is refused half way
    return granted;
}

void SystemPages::put(PageHeader *first, std::size_t count) noexcept
{
    s_state.free.put(first, count, FreeRuns::Cached);
}

// More than are needed, and back with those in front and behind.
PageHeader *SystemPages::takeAligned(std::size_t count, std::size_t alignment, bool *isZero) noexcept
{
    if (alignment <= PageSize)
        return take(count, isZero);
    const std::size_t step = alignment / PageSize;
    if (count + step - 1 > PageWindows::PageCount)
        return nullptr;
    PageHeader *first = take(count + step - 1, isZero);
    if (!first)
        return nullptr;
    const std::size_t number = reinterpret_cast<std::uintptr_t>(s_pages.pageOf(first)) / PageSize;
    const std::size_t before = (step - number % step) % step;
    FreeRuns::setTag(first + before, count, 0); // before its neighbours are put
    if (before > 0)
        put(first, before);
    if (const std::size_t behind = step - 1 - before)
        put(first + before + count, behind);
    return first + before;
}

void *SystemPages::allocateBlock(std::size_t bytes, std::size_t alignment, bool *isZero) noexcept
{
    if (bytes > MostBlockBytes || alignment > MostBlockBytes || (alignment & (alignment - 1)) != 0)
        return nullptr;
    const std::size_t count = bytes > 0 ? pagesFor(bytes) : 1;
    Locker locker(s_lock);
    freePending();
    PageHeader *first = takeAligned(count, alignment, isZero);
    if (!first)
        return nullptr;
    s_state.blockPages += count;
    setBlock(first, count);
    return s_pages.pageOf(first);
}

void *SystemPages::allocateSmallBlock(std::size_t bytes) noexcept
{
    bool isZero;
    Locker locker(s_lock);
    freePending();
    PageHeader *page = take(1, &isZero);
    if (!page)
        return nullptr;
    setBlock(page, 1);
    page->chunkSize = PageNumber(bytes);
    return s_pages.pageOf(page);
}

void SystemPages::deallocateBlock(PageHeader *first) noexcept
{
    {
        Locker locker(s_lock);
        freePending();
        putBlock(first);
        noteTime(Os::milliseconds());
    }
    giveBackDue();
}

void SystemPages::putBlock(PageHeader *first) noexcept
{
    const std::size_t count = first->capacity;
    if (first->chunkSize >= PageSize)
        s_state.blockPages -= count;
    // If the block joins the run before it, its first page is no longer at an end. It must not look like a
    // block then: a second free would be taken for a first one.
    FreeRuns::setTag(first, count, 0);
    put(first, count);
}

bool SystemPages::resizeBlock(PageHeader *first, std::size_t bytes) noexcept
{
    if (bytes > MostBlockBytes)
        return false;
    const std::size_t wanted = bytes > 0 ? pagesFor(bytes) : 1;
    {
        Locker locker(s_lock);
        freePending();
        const std::size_t had = first->capacity;
        if (wanted > had && !takeNext(first + had, wanted - had))
            return false;
        if (wanted == had)
            return true;
        FreeRuns::setTag(first, wanted, 0);
        setBlock(first, wanted);
        s_state.blockPages += wanted - had;
        if (wanted < had)
            put(first + wanted, had - wanted);
        noteTime(Os::milliseconds());
    }
    giveBackDue();
    return true;
}

// The pages' tags are clear.
void SystemPages::setBlock(PageHeader *first, std::size_t count) noexcept
{
    first->bin = reinterpret_cast<Bin *>(std::uintptr_t(FreeRuns::Block));
    first->capacity = PageNumber(count);
    first->chunkSize = std::uint32_t(count * PageSize);
    first->used = 0; // no mark: see PublishedPages
    if constexpr (hardening == 2)
        first->clear();
}

// The pages behind a block: free runs, of which the last may be longer, and behind them fresh pages.
bool SystemPages::takeNext(PageHeader *first, std::size_t count) noexcept
{
    const std::size_t here = FreeRuns::freeAcross(first, count);
    const auto isFresh = [=] { return s_pages.isFresh(first + here, count - here); };
    // If something else is mapped there, there are others then, in another window.
    if (here < count && !(isFresh() && ensureFresh(count - here) && isFresh()))
        return false;
    if (here > 0) {
        s_state.free.takeRuns(first, here);
        if (!recommit(first, here))
            return false;
    }
    if (here < count)
        s_pages.takeFresh(count - here);
    memoryChanged();
    return true;
}

// The order of the stores: another thread takes the block, with acquire, after its link is written.
void SystemPages::deallocateBlockLater(PageHeader *first) noexcept
{
    std::atomic<PageHeader *> &head = s_state.blocksToFree;
    first->next = head.load(std::memory_order_relaxed);
    while (!head.compare_exchange_weak(first->next, first, std::memory_order_release,
                                       std::memory_order_relaxed)) { }
}

void SystemPages::freePending() noexcept
{
    if (QPOOL_LIKELY(!s_state.blocksToFree.load(std::memory_order_relaxed)))
        return;
    PageHeader *block = s_state.blocksToFree.exchange(nullptr, std::memory_order_acquire);
    while (PageHeader *first = block) {
        block = first->next;
        putBlock(first);
    }
}

std::size_t SystemPages::blockBytes() noexcept
{
    Locker locker(s_lock);
    return s_state.blockPages * PageSize;
}

void *SystemPages::allocateMetadata(std::size_t bytes) noexcept
{
    if (bytes > MostBytes)
        return nullptr;
    bytes = (bytes + CacheLineSize - 1) / CacheLineSize * CacheLineSize;
    Locker locker(s_lock);
    if (s_state.metadataRefusals.countRequest()) {
        void *place = s_pages.allocateMetadata(bytes);
        memoryChanged();
        if (s_state.metadataRefusals.note(place != nullptr))
            return place;
    }
    // The system refuses because the program has used up its limit, perhaps by what is free here now.
    if (bytes > s_state.spareBytes) {
        bool isZero;
        PageHeader *page = bytes <= PageSize ? take(1, &isZero) : nullptr;
        if (!page)
            return nullptr;
        s_state.spare = isZero ? s_pages.pageOf(page) : std::memset(s_pages.pageOf(page), 0, PageSize);
        s_state.spareBytes = PageSize;
    }
    s_state.spareBytes -= bytes;
    return static_cast<char *>(s_state.spare) + s_state.spareBytes;
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

PageMemory SystemPages::currentMemory() noexcept
{
    PageMemory memory;
    const std::size_t gone = s_state.free.pages(FreeRuns::Gone);
    memory.reserved = s_pages.mappedBytes();
    memory.committed = s_pages.ownBytes() + (s_pages.pagesTaken() - gone) * PageSize;
    memory.decommitted = gone * PageSize;
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

template struct OnePerProcess<PageWindows>;
template struct OnePerProcess<SystemPagesState>;

// One per module, unlike a member of the class, of which the dynamic linker keeps one for all
// modules.
static const StateCopy s_copy(&OnePerProcess<PageWindows>::value);

QPOOL_END_NAMESPACE
