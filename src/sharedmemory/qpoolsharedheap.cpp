// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedheap.h"

#include "../allocator/os/qpoolos.h"
#include "qpoolsharedlayout.h"
#include "qpoolsharedslabs.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

static_assert(sizeof(SharedHeap) == sizeof(SharedHeader), "pages() counts from its end");

void SharedHeap::create(SharedHeap &heap, std::uint64_t bytes, SharedLockKind kind,
                        const SharedAbi &abi) noexcept
{
    SharedLayout::compute(heap, bytes);
    heap.version = Version;
    heap.headerBytes = sizeof(SharedHeader);
    abi.write(heap.abi);
    heap.address = reinterpret_cast<std::uintptr_t>(&heap);
    heap.surroundings = Os::ThreadIdentity::surroundings();
    heap.creator = Os::processId();
    heap.lockKind = std::uint32_t(kind);
    heap.pages()[0].state.put(SharedPage::Run | heap.metaPages);
    heap.state.put(Ready);
    SharedBuddy(heap).addFree(heap.metaPages, heap.pageCount);
}

void *SharedHeap::allocate(std::size_t size, std::size_t alignment) noexcept
{
    if (QPOOL_UNLIKELY(!mayHave(size, alignment)))
        return nullptr;
    size = std::size_t(SharedClasses::requested(size, alignment));
    const SharedHeapLocker locker(*this);
    if (QPOOL_UNLIKELY(isBroken()))
        return nullptr;
    void *block;
    std::size_t whole;
    if (QPOOL_LIKELY(size <= SharedClasses::LargestBytes)) {
        const std::uint32_t index = SharedClasses::indexOf(size);
        SharedSlabs slabs(*this);
        block = slabs.allocate(index);
        if (QPOOL_UNLIKELY(!block) && slabs.trim())
            block = slabs.allocate(index);
        whole = SharedClasses::at(index).size;
    } else {
        block = allocatePages(size);
        whole = std::size_t(SharedClasses::pagesFor(size)) << SharedClasses::PageShift;
    }
    if (QPOOL_LIKELY(block)) {
        usedBytes.put(usedBytes.get() + whole);
        usedBlocks.put(usedBlocks.get() + 1);
        allocatedInLock.put(allocatedInLock.get() + 1);
    }
    intent.put(0);
    return block;
}

bool SharedHeap::tryDeallocate(void *block, std::size_t size, std::size_t alignment) noexcept
{
    const bool mayBe = mayHave(size, alignment);
    size = mayBe ? std::size_t(SharedClasses::requested(size, alignment)) : 0;
    const auto offset = std::uint64_t(reinterpret_cast<std::uintptr_t>(block)
                                      - reinterpret_cast<std::uintptr_t>(this));
    const SharedHeapLocker locker(*this);
    if (QPOOL_UNLIKELY(isBroken()))
        return true;
    bool done = false;
    std::size_t whole = 0;
    if (QPOOL_LIKELY(mayBe && offset < bytes && offset >> SharedClasses::PageShift >= metaPages)) {
        if (QPOOL_LIKELY(size <= SharedClasses::LargestBytes)) {
            const std::uint32_t index = SharedClasses::indexOf(size);
            done = SharedSlabs(*this).deallocate(index, offset);
            whole = SharedClasses::at(index).size;
        } else {
            done = deallocatePages(offset, size);
            whole = std::size_t(SharedClasses::pagesFor(size)) << SharedClasses::PageShift;
        }
    }
    if (QPOOL_LIKELY(done)) {
        usedBytes.put(usedBytes.get() - whole);
        usedBlocks.put(usedBlocks.get() - 1);
        intent.put(0);
        return true;
    }
    badFrees.put(badFrees.get() + 1);
    return false;
}

void SharedHeap::deallocate(void *block, std::size_t size, std::size_t alignment) noexcept
{
    if (QPOOL_UNLIKELY(!tryDeallocate(block, size, alignment)) && hardened) {
        Os::die("SharedSegment: %p is not a block of %llu bytes that is in use", block,
                static_cast<unsigned long long>(size));
    }
}

void *SharedHeap::allocatePages(std::size_t size) noexcept
{
    const auto count = std::uint32_t(SharedClasses::pagesFor(size));
    SharedBuddy buddy(*this);
    intent.put(SharedIntent::ofPages(0));
    std::uint32_t page = buddy.take(count);
    if (!page && SharedSlabs(*this).trim()) {
        intent.put(SharedIntent::ofPages(0));
        page = buddy.take(count);
    }
    if (!page)
        return nullptr;
    intent.put(SharedIntent::ofPages(page));
    pages()[page].state.put(SharedPage::Run | count);
    return base() + (std::size_t(page) << SharedClasses::PageShift);
}

bool SharedHeap::deallocatePages(std::uint64_t offset, std::size_t size) noexcept
{
    const auto page = std::uint32_t(offset >> SharedClasses::PageShift);
    const std::uint64_t count = SharedClasses::pagesFor(size);
    if (offset % SharedClasses::PageBytes != 0 || count > pageCount - page
        || pages()[page].state.get() != (SharedPage::Run | std::uint32_t(count)))
        return false;
    intent.put(SharedIntent::ofPages(page));
    pages()[page].state.put(0);
    SharedBuddy(*this).give(page, std::uint32_t(count));
    return true;
}

void SharedHeap::leaveEntirely() noexcept
{
    if (isLockedHere()) {
        depth.put(1);
        leave();
    }
}

void SharedHeap::endBeforeExec() noexcept
{
    if (SharedLock::wasAbandoned(lock, kind(), Os::ThreadIdentity::current())) {
        entered(true);
        leaveEntirely();
    }
}

bool SharedHeap::enter(std::int64_t milliseconds) noexcept
{
    const std::uint64_t self = Os::ThreadIdentity::current();
    if (SharedLock::isHeldBy(lock, self)) {
        depth.put(depth.get() + 1);
        return true;
    }
    const SharedLock::Result result = SharedLock::acquire(lock, kind(), self, milliseconds);
    if (result == SharedLock::Result::TimedOut || result == SharedLock::Result::Failed)
        return false;
    depth.put(1);
    entered(result == SharedLock::Result::FromDead);
    return true;
}

QPOOL_END_NAMESPACE
