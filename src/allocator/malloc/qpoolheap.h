// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHEAP_H
#define QPOOLHEAP_H

#include "../pool/qprocesspool.h"
#include "qpoollibc.h"

#include <cerrno>
#include <cstring>

#include <unistd.h>

// The symbols that interpose the C library's and the C++ library's; all others of the front are
// hidden.
#define QPOOL_EXPORT __attribute__((visibility("default")))

QPOOL_BEGIN_NAMESPACE

// Registers what has to happen around a fork(), once: the pool's part, and what the C library must do before it.
QPOOL_LOCAL void registerForkOrder() noexcept;

/*
    The heap of a process. Blocks of at most HeapClasses::MaxSize bytes come from the process's pool, in a
    domain of their own, larger ones from its source of pages, and what neither can serve from the C
    library. A block's address shows where it came from, so each may have any block: the pool refuses while
    it is disabled, when it is out of memory, and for what its own preparation allocates.

    Never throws. errno is ENOMEM after a null that means failure, and preserved otherwise. Hidden,
    so that its slow paths are called directly.
*/
class QPOOL_LOCAL Heap
{
public:
    Heap() = delete;

    // malloc()'s alignment on 64 bits.
    static constexpr std::size_t Alignment = HeapClasses::Step;
    static_assert(Alignment >= alignof(std::max_align_t), "every class suits every type");
    static_assert(HeapClasses::alignmentOf(HeapClasses::Count - 1) == HeapClasses::MaxSize);

    // From this size on, zeros come from the system: what is not used then takes no memory.
    static constexpr std::size_t LeastDiscarded = std::size_t(32) << 20;
    // Beyond it a chunk has a page for itself, as a small block has, which may take its place.
    static constexpr std::size_t LargestOfSeveral = HeapClasses::sizeOf(HeapClasses::Count - 2);

    QPOOL_ALWAYS_INLINE static void *allocate(std::size_t size) noexcept
    {
        void *chunk = tryAllocate(size);
        return QPOOL_LIKELY(chunk) ? chunk : allocateSlow(size);
    }

    QPOOL_ALWAYS_INLINE static void deallocate(void *block) noexcept
    {
        if (QPOOL_UNLIKELY(!ProcessPool::deallocateIfNear(block)))
            deallocateSlow(block);
    }

    // Zero-filled.
    QPOOL_ALWAYS_INLINE static void *allocateZeroed(std::size_t size) noexcept
    {
        void *chunk = tryAllocate(size);
        return QPOOL_LIKELY(chunk) ? std::memset(chunk, 0, size) : allocateZeroedSlow(size);
    }

    // \a alignment is a power of two.
    static void *allocateAligned(std::size_t alignment, std::size_t size) noexcept
    {
        if (alignment <= Alignment)
            return allocate(size);
        const std::size_t least = size < alignment ? alignment : size;
        void *block = nullptr;
        if (isReady() && least <= HeapClasses::MaxSize) {
            unsigned index = HeapClasses::indexOf(least);
            while (HeapClasses::alignmentOf(index) < alignment) // the last class has every alignment
                ++index;
            block = ProcessPool::allocate(ProcessLayout::HeapBin + index);
        } else if (isReady()) {
            bool isZero;
            block = ProcessPool::allocateBlock(size, alignment, &isZero);
        }
        return block ? block : LibC::__libc_memalign(alignment, size);
    }

    // Like realloc(), except that a size of zero yields a block. A block that still fills half of
    // its chunk, or for which there is no smaller class, is not moved. In hardened builds each chunk is moved, so that
    // its free finds misuse.
    static void *reallocate(void *block, std::size_t size) noexcept
    {
        PageHeader *page = PublishedPages::findHeader(block);
        if (!page)
            return LibC::__libc_realloc(block, size);
        if (PublishedPages::isBlock(page)) {
            if (hardened && block != PublishedPages::pageOf(page))
                deallocate(block); // reports it
            if (size > LargestOfSeveral && ProcessPool::resizeBlock(*page, size))
                return block;
        }
        const std::size_t present = page->payloadOf(page->chunkSize);
        if (!hardened && size <= present && (size > present / 2 || present == HeapClasses::sizeOf(0)))
            return block;
        const int saved = errno;
        void *moved = allocate(size);
        if (QPOOL_UNLIKELY(!moved)) {
            if (size > present)
                return nullptr;
            errno = saved;
            return block;
        }
        std::memcpy(moved, block, size < present ? size : present);
        deallocate(block);
        return moved;
    }

    // How many bytes of \a block, which is not null, may be used; at level 2 of hardening without
    // the canary.
    static std::size_t usableSize(void *block) noexcept
    {
        const PageHeader *page = PublishedPages::findHeader(block);
        return page ? page->payloadOf(page->chunkSize) : LibC::usableSize(block);
    }

private:
    // Returns a chunk from the fast path, or null.
    QPOOL_ALWAYS_INLINE static void *tryAllocate(std::size_t size) noexcept
    {
        if (QPOOL_UNLIKELY(size > HeapClasses::MaxSize))
            return nullptr;
        return ProcessPool::tryAllocate(ProcessLayout::bin(Domain::Heap, size));
    }

    QPOOL_NEVER_INLINE static void deallocateSlow(void *block) noexcept
    {
        if (!ProcessPool::deallocateIfOwned(block))
            LibC::__libc_free(block);
    }

    QPOOL_NEVER_INLINE static void *allocateSlow(std::size_t size) noexcept
    {
        bool isZero;
        void *block = allocatePooled(size, &isZero);
        return QPOOL_LIKELY(block) ? block : LibC::__libc_malloc(size);
    }

    QPOOL_NEVER_INLINE static void *allocateZeroedSlow(std::size_t size) noexcept
    {
        bool isZero;
        // A page that is zero is not touched.
        void *block = allocatePooled(size, &isZero, LargestOfSeveral);
        if (!block)
            return LibC::__libc_calloc(1, size);
        if (isZero || (size >= LeastDiscarded && Os::decommit(block, size)))
            return block;
        return std::memset(block, 0, size);
    }

    static void *allocatePooled(std::size_t size, bool *isZero, std::size_t most = HeapClasses::MaxSize) noexcept
    {
        *isZero = false;
        if (!isReady())
            return nullptr;
        return size <= most
                ? ProcessPool::allocate(ProcessLayout::bin(Domain::Heap, size))
                : ProcessPool::allocateBlock(size, Alignment, isZero);
    }

    // The dynamic linker allocates before the C library is initialised. Until then, it is not known
    // whether the process disabled the pool.
    static bool isReady() noexcept
    {
        if (QPOOL_LIKELY(processServesHeap.load(std::memory_order_relaxed)))
            return true;
        if (!environ)
            return false;
        processServesHeap.store(true, std::memory_order_relaxed);
        if (ProcessLayout::needsForkHandlers())
            registerForkOrder();
        if (!isProcessPoolDisabled())
            LibC::takeForeignFrees();
        return true;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLHEAP_H
