// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDHEAP_H
#define QPOOLSHAREDHEAP_H

#include "qpoolsharedheader.h"
#include "qpoolsharedlock.h"

QPOOL_BEGIN_NAMESPACE

/*
    The allocator in a segment: slabs for blocks of up to 3 KiB, runs of pages beyond, one lock for all.
    It stands at the segment's beginning, at one address in every process, so allocators in containers
    in the segment point to it. Sizes are in bytes, alignments powers of two up to a page.

    What happens when a thread is killed in here. Each change goes

        lock, intent, stores, intent = 0, unlock

    and whoever takes the lock looks at the intent first. If it is not zero, the thread before died
    among the stores (nobody else leaves it so), and repair() makes the block that it names free, all
    that is derived anew, and the intent zero, in this order. It may be killed itself at any of its
    stores: the next one finds the intent, and begins again. So:

        killed before the intent was set, or after it was reset: the books are whole
        between: the block is free afterwards. An allocation had not returned, so nobody has the
            block; a free is completed
        between an allocation's reset of the intent and the moment at which the program had put the
            block where it belongs: the block is lost. If the thread died with the lock held, as
            those do that hold it around more than one call, the blocks it took since are counted
            in possiblyLost; outside of the lock nobody knows

    What cannot be put in order, because it was damaged by something else, breaks the segment: it hands
    out nothing and takes nothing back any more.
*/
class SharedHeap : public SharedHeader
{
public:
    // Makes the books, in zeroed memory. The magic comes last, and is the caller's.
    static void create(SharedHeap &heap, std::uint64_t bytes, SharedLockKind kind,
                       const SharedAbi &abi) noexcept;

    // Null when there is no room, or the segment is broken.
    void *allocate(std::size_t size, std::size_t alignment) noexcept;
    // The same values as before. What is no block in use is counted and left alone; hardened builds
    // name it and abort.
    void deallocate(void *block, std::size_t size, std::size_t alignment) noexcept;
    // The same, but only says so.
    bool tryDeallocate(void *block, std::size_t size, std::size_t alignment) noexcept;

    // For the calling thread, again if it holds it already.
    bool enter(std::int64_t milliseconds) noexcept;
    QPOOL_ALWAYS_INLINE void enter() noexcept;
    QPOOL_ALWAYS_INLINE void leave() noexcept;
    // Whatever the calling thread has entered.
    void leaveEntirely() noexcept;
    bool isLockedHere() const noexcept
    {
        return SharedLock::isHeldBy(lock, Os::ThreadIdentity::current());
    }

    SharedLockKind kind() const noexcept { return SharedLockKind(lockKind); }
    bool isBroken() const noexcept { return state.get() != Ready; }

    // With the lock held: the books made anew from what is not derived.
    void repair() noexcept;
    // Frees what a root that was being made or destroyed has, and its place.
    void repairRoots() noexcept;

private:
    void entered(bool fromDead) noexcept;
    void *allocatePages(std::size_t size) noexcept;
    bool deallocatePages(std::uint64_t offset, std::size_t size) noexcept;
    bool undo(SharedIntent intent) noexcept;
    bool rebuild() noexcept;
    bool rebuildSlab(std::uint32_t page, std::uint32_t index) noexcept;
    void breakDown() noexcept;
};

// For who has it entered for a time.
class SharedHeapLocker
{
public:
    explicit SharedHeapLocker(SharedHeap &heap) noexcept;
    ~SharedHeapLocker();
    SharedHeapLocker(const SharedHeapLocker &) = delete;
    SharedHeapLocker &operator=(const SharedHeapLocker &) = delete;

private:
    SharedHeap &m_heap;
};

// ----------------------------------------------------------------------------

QPOOL_ALWAYS_INLINE void SharedHeap::enter() noexcept
{
    const std::uint64_t self = Os::ThreadIdentity::current();
    if (SharedLock::isHeldBy(lock, self)) {
        depth.put(depth.get() + 1);
        return;
    }
    const SharedLock::Result result = SharedLock::acquire(lock, kind(), self);
    if (QPOOL_UNLIKELY(result == SharedLock::Result::Failed)) {
        // Without a lock there is nothing that could be done in turn.
        state.put(Broken);
        return;
    }
    depth.put(1);
    if (QPOOL_UNLIKELY(result == SharedLock::Result::FromDead || intent.get() != 0 || making.get() != 0))
        entered(result == SharedLock::Result::FromDead);
}

QPOOL_ALWAYS_INLINE void SharedHeap::leave() noexcept
{
    // In the child of a fork() the holder is the parent, whatever has been called before.
    if (QPOOL_UNLIKELY(!SharedLock::isHeldBy(lock, Os::ThreadIdentity::current())))
        return;
    const std::uint32_t times = depth.get();
    depth.put(times - 1);
    if (times <= 1) {
        allocatedInLock.put(0);
        SharedLock::release(lock, kind());
    }
}

inline SharedHeapLocker::SharedHeapLocker(SharedHeap &heap) noexcept : m_heap(heap) { heap.enter(); }
inline SharedHeapLocker::~SharedHeapLocker() { m_heap.leave(); }

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDHEAP_H
