// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDHEAP_H
#define QPOOLSHAREDHEAP_H

#include "qpoolsharedheader.h"
#include "qpoolsharedlock.h"

QPOOL_BEGIN_NAMESPACE

/*
    The allocator in a segment: slabs for blocks of up to 3 KiB, runs of pages for larger ones, one
    lock for all. It is at the segment's beginning, at the same address in every process, so
    allocators of containers in the segment point to it. Sizes are in bytes, alignments powers of
    two up to a page.

    What happens if a thread is killed in here: each change has the steps

        lock, intent, stores, intent = 0, unlock

    and a thread that takes the lock first reads the intent. If it is non-zero, the previous holder
    died among the stores (otherwise it is always reset). repair() then makes the block in the
    intent free, rebuilds everything that is derived, and resets the intent, in this order. It may
    itself be killed at any of its stores: the next holder finds the intent and begins again. So, if
    a thread is killed

        before the intent is set, or after it is reset: the metadata is intact
        between: the block is free afterwards. An allocation had not returned, so no thread has
            the block; a free is completed
        between an allocation's reset of the intent and the moment at which the program has stored
            the block's address: the block is lost. If the thread died with the lock held, as a
            thread does that holds it around more than one call, possiblyLost counts the blocks
            it took since; outside of the lock nothing counts them

    Metadata that cannot be repaired, because something else damaged it, breaks the segment: it no
    longer allocates or frees anything.
*/
class SharedHeap : public SharedHeader
{
public:
    // Makes the metadata, in zeroed memory. The caller writes the magic, last.
    static void create(SharedHeap &heap, std::uint64_t bytes, SharedLockKind kind,
                       const SharedAbi &abi) noexcept;

    // Returns null when there is no room, or the segment is broken.
    void *allocate(std::size_t size, std::size_t alignment) noexcept;
    // Takes the same values as allocate(). A pointer that is not a block in use is counted and
    // otherwise ignored; hardened builds report it and abort.
    void deallocate(void *block, std::size_t size, std::size_t alignment) noexcept;
    // The same, but returns false for such a pointer.
    bool tryDeallocate(void *block, std::size_t size, std::size_t alignment) noexcept;

    // For the calling thread; increments the depth if the thread holds the lock already.
    bool enter(std::int64_t milliseconds) noexcept;
    QPOOL_ALWAYS_INLINE void enter() noexcept;
    QPOOL_ALWAYS_INLINE void leave() noexcept;
    // Leaves as often as the calling thread has entered.
    void leaveEntirely() noexcept;
    bool isLockedHere() const noexcept
    {
        return SharedLock::isHeldBy(lock, Os::ThreadIdentity::current());
    }

    SharedLockKind kind() const noexcept { return SharedLockKind(lockKind); }
    bool isBroken() const noexcept { return state.get() != Ready; }

    // With the lock held: rebuilds the metadata from what is not derived.
    void repair() noexcept;
    // For a process that has just mapped the segment: ends what the calling thread left undone
    // when it called exec().
    void endBeforeExec() noexcept;
    // Frees the memory and the entry of each root that was being made or destroyed.
    void repairRoots() noexcept;

private:
    // Whether there may be a block of the size. Nothing is added to a size for which there is none.
    bool mayHave(std::size_t size, std::size_t alignment) const noexcept
    {
        return size <= bytes
                && (alignment <= SharedClasses::Step
                    || (alignment <= SharedClasses::PageBytes && (alignment & (alignment - 1)) == 0));
    }
    void entered(bool fromDead) noexcept;
    void *allocatePages(std::size_t size) noexcept;
    bool deallocatePages(std::uint64_t offset, std::size_t size) noexcept;
    bool undo(SharedIntent intent) noexcept;
    bool rebuild() noexcept;
    bool rebuildSlab(std::uint32_t page, std::uint32_t index) noexcept;
    void breakDown() noexcept;
};

// Holds the lock for its lifetime.
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
        // Without a lock, no operation can be safe.
        state.put(Broken);
        return;
    }
    depth.put(1);
    if (QPOOL_UNLIKELY(result == SharedLock::Result::FromDead || intent.get() != 0 || making.get() != 0))
        entered(result == SharedLock::Result::FromDead);
}

QPOOL_ALWAYS_INLINE void SharedHeap::leave() noexcept
{
    // In the child of a fork() the parent is the holder, whatever was called before.
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
