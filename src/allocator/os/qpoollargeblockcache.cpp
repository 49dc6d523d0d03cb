// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollargeblockcache.h"
#include "qpoolenvironment.h"
#include "qpoollock.h"
#include "qpoolos.h"
#include "qpoolwatchers.h"
#include "qpoolwishes.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

namespace {

// The aligned operators are slower, so they are not used for an alignment that operator new has
// anyway.
void *allocateFromHeap(std::size_t bytes, std::size_t alignment) noexcept
{
    if (bytes > MostBytes)
        return nullptr;
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        return ::operator new(bytes, std::nothrow);
    return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
}

void deallocateToHeap(void *memory, std::size_t alignment) noexcept
{
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        ::operator delete(memory);
    else
        ::operator delete(memory, std::align_val_t(alignment));
}

bool isDisabled() noexcept
{
    const char *wishes = Os::environment("QT_POOL_ALLOCATOR");
    return (wishes && hasWish(wishes, "0")) || Os::isHeapWatched();
}

} // namespace

LargeBlockCache::Way LargeBlockCache::decide() noexcept
{
    const int found = isDisabled() ? Disabled : hardened ? NotKeeping : Keeping;
    if (found != Disabled)
        ForkHandlers<LargeBlockCache>::atLatest();
    int known = Undecided;
    if (s_way.compare_exchange_strong(known, found, std::memory_order_relaxed))
        known = found;
    return Way(known);
}

bool LargeBlockCache::keeps() noexcept
{
    return way() == Keeping;
}

void *LargeBlockCache::allocate(std::size_t bytes, std::size_t alignment) noexcept
{
    if (way() == Disabled)
        return allocateFromHeap(bytes, alignment);
    LargeBlock *block = take(bytes, alignment);
    return block ? block->memory() : nullptr;
}

void LargeBlockCache::deallocate(void *memory, std::size_t bytes, std::size_t alignment) noexcept
{
    if (way() == Disabled) {
        deallocateToHeap(memory, alignment);
        return;
    }
    LargeBlock *block = LargeBlock::of(memory);
    if constexpr (hardened) {
        if (wasFreed(memory) || block->state != LargeBlock::State::InUse) {
            Os::die("%p, freed with a size of %llu bytes, is no large block, or free already, or was "
                    "written to in front of its start", memory,
                    static_cast<unsigned long long>(bytes));
        }
        if (block->asked != bytes) {
            Os::die("%p, freed with a size of %llu bytes, is a block of %llu", memory,
                    static_cast<unsigned long long>(bytes),
                    static_cast<unsigned long long>(block->asked));
        }
    }
    give(block);
}

LargeBlock *LargeBlockCache::take(std::size_t bytes, std::size_t alignment) noexcept
{
    if (alignment < LargeBlock::LeastAlignment)
        alignment = LargeBlock::LeastAlignment;
    const bool mayBeKept = LargeBlock::totalFor(bytes, alignment) >= LeastBytes && keeps();
    LargeBlock *block = mayBeKept ? takeKept(bytes, alignment) : nullptr;
    if (!block) {
        const bool mayMap = way() != Disabled;
        block = LargeBlock::make(bytes, alignment, mayMap);
        if (!block && s_keptBytes.load(std::memory_order_relaxed) > 0) {
            trim();
            block = LargeBlock::make(bytes, alignment, mayMap);
        }
        if (!block)
            return nullptr;
    }
    begin(block, bytes);
    return block;
}

void LargeBlockCache::begin(LargeBlock *block, std::size_t bytes) noexcept
{
    block->asked = bytes;
    block->state = LargeBlock::State::InUse;
    if (block->total >= LeastBytes)
        s_used.fetch_add(block->total, std::memory_order_relaxed);
    if constexpr (hardened) {
        Locker locker(s_lock);
        for (const void *&freed : s_freed.memory) {
            if (freed == block->memory())
                freed = nullptr;
        }
    }
}

// Returns how much else is in use.
std::size_t LargeBlockCache::end(LargeBlock *block) noexcept
{
    block->state = LargeBlock::State::Free;
    if constexpr (hardened) {
        Locker locker(s_lock);
        s_freed.memory[s_freed.next++ % RecentFrees::Count] = block->memory();
    }
    const std::size_t total = block->total;
    if (total < LeastBytes)
        return 0;
    return s_used.fetch_sub(total, std::memory_order_relaxed) - total;
}

bool LargeBlockCache::wasFreed(const void *memory) noexcept
{
    Locker locker(s_lock);
    for (const void *freed : s_freed.memory) {
        if (freed == memory)
            return true;
    }
    return false;
}

void LargeBlockCache::give(LargeBlock *block) noexcept
{
    const std::size_t total = block->total;
    const std::size_t limit = KeptBlocks::limit(end(block));
    if (total < LeastBytes || !keeps()) {
        LargeBlock::destroy(block);
        return;
    }
    const std::uint32_t now = Os::milliseconds();
    LargeBlock *excess;
    LargeBlock *aged;
    {
        Locker locker(s_lock);
        aged = s_kept.takeAged(now);
        if (total <= limit)
            s_kept.put(block, now);
        excess = s_kept.takeBeyond(limit);
        noteKept();
    }
    if (total > limit)
        LargeBlock::destroy(block);
    destroyAll(aged);
    destroyAll(excess);
}

void LargeBlockCache::discard(LargeBlock *block) noexcept
{
    end(block);
    LargeBlock::destroy(block);
}

LargeBlock *LargeBlockCache::takeKept(std::size_t bytes, std::size_t alignment) noexcept
{
    const std::uint32_t now = Os::milliseconds();
    LargeBlock *block;
    LargeBlock *aged;
    {
        Locker locker(s_lock);
        block = s_kept.take(bytes, alignment);
        aged = s_kept.takeAged(now);
        noteKept();
    }
    destroyAll(aged);
    return block;
}

void LargeBlockCache::idleSlow() noexcept
{
    LargeBlock *excess;
    {
        Locker locker(s_lock);
        excess = s_kept.takeForIdle();
        noteKept();
    }
    destroyAll(excess);
}

void LargeBlockCache::trim() noexcept
{
    LargeBlock *all;
    {
        Locker locker(s_lock);
        all = s_kept.takeAll();
        noteKept();
    }
    destroyAll(all);
}

LargeBlockCache::Statistics LargeBlockCache::statistics() noexcept
{
    return { s_used.load(std::memory_order_relaxed), s_keptBytes.load(std::memory_order_relaxed) };
}

// The caller holds the lock.
void LargeBlockCache::noteKept() noexcept
{
    s_keptBytes.store(s_kept.bytes(), std::memory_order_relaxed);
}

// Called without the lock, so that no other thread waits for the system.
void LargeBlockCache::destroyAll(LargeBlock *list) noexcept
{
    while (LargeBlock *block = list) {
        list = block->next;
        LargeBlock::destroy(block);
    }
}

bool LargeBlockCache::needsForkHandlers() noexcept
{
    return !isDisabled();
}

void LargeBlockCache::registerForkHandlers() noexcept
{
    Os::aroundFork([] { lockToFork(s_lock); }, [] { unlockAfterFork(s_lock); });
}

QPOOL_END_NAMESPACE
