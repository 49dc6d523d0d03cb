// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsystempages.h"
#include "qpoolos.h"

namespace QPool {

namespace {

// Enough for a billion live events; nothing but address space. 32-bit programs have less.
constexpr std::size_t LargestRange = sizeof(void *) == 8 ? std::size_t(1) << (sizeof(void *) * 4 + 4)
                                                         : std::size_t(1) << 28;
constexpr std::size_t SmallestRange = std::size_t(1) << 24;

// Memory is made usable a megabyte at a time: a system call and a mapping for each page would
// cost more than the untouched rest, which holds no memory until it is used.
constexpr std::size_t CommitStep = 16;

constexpr std::size_t roundUp(std::size_t bytes, std::size_t to)
{
    return (bytes + to - 1) / to * to;
}

} // namespace

template <int Hardening, std::size_t CacheLine>
bool BasicSystemPages<Hardening, CacheLine>::initialize() noexcept
{
    if (s_range.isInitialized())
        return true;
    if (s_state.refused)
        return false;
    for (std::size_t bytes = LargestRange; bytes >= SmallestRange; bytes /= 2) {
        void *place = Os::reserve(bytes, PageSize);
        if (!place)
            continue;
        // Where addresses are limited the program needs some for itself: half of them.
        void *rest = Os::reserve(bytes, PageSize);
        if (!rest) {
            Os::unreserve(place, bytes);
            continue;
        }
        Os::unreserve(rest, bytes);
        const std::size_t pages = bytes / (PageSize + sizeof(PageHeader)) - 1;
        const std::size_t table = roundUp(pages * sizeof(PageHeader), PageSize);
        s_state.headers = static_cast<char *>(place);
        s_state.reserved = bytes;
        s_range.initialize(place, s_state.headers + table, pages);
        memoryChanged();
        return true;
    }
    s_state.refused = true;
    return false;
}

// Makes the next \a pages fresh pages and their headers usable.
template <int Hardening, std::size_t CacheLine>
bool BasicSystemPages<Hardening, CacheLine>::commitFresh(std::size_t pages) noexcept
{
    const std::size_t wanted = s_range.freshIndex() + pages;
    if (wanted > s_range.pageCount())
        return false;
    const std::size_t headerBytes = roundUp(wanted * sizeof(PageHeader), PageSize);
    if (headerBytes > s_state.headerBytes) {
        if (!Os::commit(s_state.headers + s_state.headerBytes, headerBytes - s_state.headerBytes))
            return false;
        s_state.headerBytes = headerBytes;
        memoryChanged();
    }
    if (wanted <= s_state.usablePages)
        return true;
    char *end = s_range.pageOf(s_range.header(s_state.usablePages));
    std::size_t usable = roundUp(wanted, CommitStep);
    if (usable > s_range.pageCount())
        usable = s_range.pageCount();
    for (;;) {
        if (Os::commit(end, (usable - s_state.usablePages) * PageSize)) {
            s_state.usablePages = usable;
            memoryChanged();
            return true;
        }
        // Near the limit a whole step may not fit where the page that is needed does.
        if (usable == wanted)
            return false;
        usable = wanted;
    }
}

template <int Hardening, std::size_t CacheLine>
PageHeader *BasicSystemPages<Hardening, CacheLine>::acquirePage(std::size_t chunkSize) noexcept
{
    Locker locker(s_lock);
    if (PageHeader *page = s_range.takeCached(chunkSize))
        return page;
    if (PageHeader *page = s_range.takeReturned()) {
        if (Os::recommit(s_range.pageOf(page), PageSize)) {
            --s_state.returnedPages;
            memoryChanged();
            return page;
        }
        s_range.putReturned(page);
    } else if (initialize() && commitFresh(1)) {
        return s_range.takeFresh(1);
    }
    // No more from the system: one that waits for another class.
    return s_range.takeAnyCached();
}

// Of pages that are touched as a whole an eighth of what is in use, and half a megabyte at least: a
// program whose load swings does not pay a system call and sixteen page faults for each page, one
// that shrinks keeps little. Of others a megabyte and a half in all: a thread has dozens of them,
// one for each size class, and the next thread wants them all at once.
template <int Hardening, std::size_t CacheLine>
bool BasicSystemPages<Hardening, CacheLine>::isWorthKeeping(const PageHeader *page) noexcept
{
    constexpr std::size_t partialLimit = 24 * PageSize;
    return s_range.isWhole(page)
            ? s_range.wholeCached() < 8 + s_range.usedPages() / 8
            : s_range.partialBytes() + s_range.heldBytes(page) <= partialLimit;
}

template <int Hardening, std::size_t CacheLine>
void BasicSystemPages<Hardening, CacheLine>::releasePage(PageHeader *page) noexcept
{
    Locker locker(s_lock);
    if (isWorthKeeping(page)) {
        s_range.putCached(page);
        return;
    }
    Os::decommit(s_range.pageOf(page), PageSize);
    s_range.putReturned(page);
    ++s_state.returnedPages;
    memoryChanged();
}

template <int Hardening, std::size_t CacheLine>
void *BasicSystemPages<Hardening, CacheLine>::allocateMetadata(std::size_t bytes) noexcept
{
    bytes = roundUp(bytes, CacheLineSize);
    Locker locker(s_lock);
    if (bytes > s_state.metadataLeft) {
        const std::size_t pages = roundUp(bytes, PageSize) / PageSize;
        if (!initialize() || !commitFresh(pages))
            return nullptr;
        s_state.metadata = s_range.pageOf(s_range.takeFresh(pages));
        s_state.metadataLeft = pages * PageSize;
    }
    char *place = s_state.metadata;
    s_state.metadata += bytes;
    s_state.metadataLeft -= bytes;
    return place;
}

template <int Hardening, std::size_t CacheLine>
void BasicSystemPages<Hardening, CacheLine>::giveBack(std::size_t pages) noexcept
{
    for (; pages > 0; --pages) {
        PageHeader *page = s_range.takeAnyCached();
        Os::decommit(s_range.pageOf(page), PageSize);
        s_range.putReturned(page);
        ++s_state.returnedPages;
    }
    memoryChanged();
}

template <int Hardening, std::size_t CacheLine>
void BasicSystemPages<Hardening, CacheLine>::idle() noexcept
{
    Locker locker(s_lock);
    const std::size_t unused = s_range.takeCachedLow();
    const std::size_t cached = s_range.cachedPages();
    // Less than while the program is busy: what a burst took is to be gone but for a few percent.
    const std::size_t limit = 8 + s_range.usedPages() / 32;
    const std::size_t excess = cached > limit ? cached - limit : 0;
    giveBack(unused > excess ? unused : excess);
}

template <int Hardening, std::size_t CacheLine>
void BasicSystemPages<Hardening, CacheLine>::trim() noexcept
{
    Locker locker(s_lock);
    giveBack(s_range.cachedPages());
}

template <int Hardening, std::size_t CacheLine>
void BasicSystemPages<Hardening, CacheLine>::surviveFork() noexcept
{
    Locker locker(s_lock);
    if (s_state.survivesFork)
        return;
    s_state.survivesFork = true;
    Os::aroundFork([] { s_lock.lock(); }, [] { s_lock.unlock(); });
}

template <int Hardening, std::size_t CacheLine>
PageMemory BasicSystemPages<Hardening, CacheLine>::memory() noexcept
{
    Locker locker(s_lock);
    return currentMemory();
}

template <int Hardening, std::size_t CacheLine>
void BasicSystemPages<Hardening, CacheLine>::publishMemory(PublishedMemory *figures) noexcept
{
    Locker locker(s_lock);
    s_state.published = figures;
    memoryChanged();
}

// These two with the lock held.
template <int Hardening, std::size_t CacheLine>
PageMemory BasicSystemPages<Hardening, CacheLine>::currentMemory() noexcept
{
    PageMemory memory;
    memory.reserved = s_state.reserved;
    memory.committed = s_state.headerBytes
            + (s_state.usablePages - s_state.returnedPages) * PageSize;
    memory.returned = s_state.returnedPages * PageSize;
    return memory;
}

template <int Hardening, std::size_t CacheLine>
void BasicSystemPages<Hardening, CacheLine>::memoryChanged() noexcept
{
    if (!s_state.published)
        return;
    const PageMemory memory = currentMemory();
    s_state.published->reserved.store(memory.reserved, std::memory_order_relaxed);
    s_state.published->committed.store(memory.committed, std::memory_order_relaxed);
    s_state.published->returned.store(memory.returned, std::memory_order_relaxed);
}

template class BasicSystemPages<hardening, CacheLineSize>;

} // namespace QPool
