// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPAGESPAN_H
#define QPOOLPAGESPAN_H

#include "qpoolpagelists.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    The pages of a source that grows. Ranges of addresses, equal in size and aligned to it, are
    reserved one after the other within one span of addresses; one table has the headers of all
    pages for which the span has room. Table and span are proportional, so the header of a chunk
    takes a shift and an addition, whatever the range. Whether a pointer is in the first range takes
    one subtraction and one comparison; any other is looked up by the number of the range that would
    contain it.

    The span's addresses between the ranges belong to other mappings.

    The class hands out pages and takes them back; the user provides the memory and the locking.
    Only contains(), hasHeader() and the functions that find headers need no lock.

    What they read
    - m_firstBase, m_firstSize: stored once, with the first range. A thread that holds a chunk has
      seen both stores. Any other thread may see either without the other, and still gets the right
      answer, false: see NoBase.
    - m_size: stored once, with release, after everything else about the span; loaded with acquire
      by threads that look beyond the first range. Zero means that there is nothing to look up.
    - m_fresh: how many pages of each range were ever handed out; only grows, under the lock. A
      thread that holds a chunk of a page got it, in an ordered way, from a thread that saw the page
      counted. For any other address, the answer is right when it is given, and the header can be
      read: release and acquire ensure this.
    - m_firstFresh, m_minusFirstBase: the same count for the first range, and what converts an
      address to its offset there, for the single comparison of findUsedHeader(). A thread that sees
      a number of pages without the base gets an offset larger than any: see NoBase.
    - m_headersOfZero, m_firstHeaders, m_base and m_rangeShift are constant once m_size or
      m_firstSize is non-zero.
*/
class PageSpan : public PageLists<SystemPageSize>
{
public:
    // Twice the memory of the largest machine with 32-bit addresses must not overflow them, so
    // there are fewer ranges there.
    static constexpr unsigned RangeCount = sizeof(void *) == 8 ? 128 : 32;

    constexpr PageSpan() = default;

    // Called once. \a rangeBytes is a power of two, and \a base a multiple of it. \a headers is
    // where the header of the page at \a base would be.
    void initialize(void *headers, std::uintptr_t base, std::size_t rangeBytes) noexcept
    {
        m_headersOfZero = reinterpret_cast<std::uintptr_t>(headers)
                - base / PageSize * sizeof(PageHeader);
        while ((std::size_t(1) << m_rangeShift) < rangeBytes)
            ++m_rangeShift;
        m_base.store(base, std::memory_order_relaxed);
        m_size.store(rangeBytes * RangeCount, std::memory_order_release);
    }

    bool isInitialized() const noexcept { return m_size.load(std::memory_order_relaxed) != 0; }

    // Adds a range of \a pageCount pages, which the source has reserved; the next fresh pages come
    // from it.
    void addRange(unsigned index, std::size_t pageCount) noexcept
    {
        m_current = index;
        m_pageCount[index] = std::uint32_t(pageCount);
        if (m_firstSize.load(std::memory_order_relaxed) != 0)
            return;
        char *first = rangeStart(index);
        m_firstHeaders = headerOf(first);
        m_first = index;
        m_firstBase.store(reinterpret_cast<std::uintptr_t>(first), std::memory_order_relaxed);
        m_minusFirstBase.store(std::uintptr_t(0) - reinterpret_cast<std::uintptr_t>(first),
                               std::memory_order_relaxed);
        m_firstSize.store(pageCount * PageSize, std::memory_order_release);
    }

    // Whether a pointer is in the addresses of this span's ranges.
    QPOOL_ALWAYS_INLINE bool contains(const void *pointer) const noexcept
    {
        return isInFirst(pointer) || hasHeader(pointer);
    }

    // Whether \a pointer is in a page that was ever handed out; such a page has a header that can
    // be read. For arbitrary pointers.
    QPOOL_NEVER_INLINE bool hasHeader(const void *pointer) const noexcept
    {
        const std::size_t size = m_size.load(std::memory_order_acquire);
        const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(pointer)
                - m_base.load(std::memory_order_relaxed);
        if (offset >= size)
            return false;
        const std::uintptr_t inRange = offset & ((std::uintptr_t(1) << m_rangeShift) - 1);
        return inRange / PageSize
                < m_fresh[offset >> m_rangeShift].load(std::memory_order_acquire);
    }

    // Returns the header of the page of a chunk in any range.
    QPOOL_ALWAYS_INLINE PageHeader *headerOf(const void *pointer) const noexcept
    {
        // From the address itself, because pages are aligned: this saves a load and a subtraction.
        return reinterpret_cast<PageHeader *>(
                m_headersOfZero
                + reinterpret_cast<std::uintptr_t>(pointer) / PageSize * sizeof(PageHeader));
    }

    // Returns the header if \a pointer is in the first range; null does not mean that it is in no
    // range.
    QPOOL_ALWAYS_INLINE PageHeader *findNear(const void *pointer) const noexcept
    {
        const std::size_t size = m_firstSize.load(SizeOrder);
        const std::uintptr_t offset = offsetInFirst(pointer);
        if (QPOOL_UNLIKELY(offset >= size))
            return nullptr;
        PageHeader *header = m_firstHeaders + offset / PageSize;
        QPOOL_ASSUME(header != nullptr); // so that the caller's test is merged
        return header;
    }

    // Also null for a page that was never handed out, whose header cannot be read: for the checks
    // of hardened builds. A thread that holds a chunk of the page has seen the stores that made the
    // page used. Any other may see an older number of pages, and gets null for a chunk that is not
    // its own.
    QPOOL_ALWAYS_INLINE PageHeader *findUsedHeader(const void *pointer) const noexcept
    {
        const std::size_t fresh = m_firstFresh.load(SizeOrder);
        const std::uintptr_t page = (m_minusFirstBase.load(std::memory_order_relaxed)
                                     + reinterpret_cast<std::uintptr_t>(pointer)) / PageSize;
        if (QPOOL_UNLIKELY(page >= fresh))
            return findUsedFar(pointer);
        PageHeader *header = m_firstHeaders + page;
        QPOOL_ASSUME(header != nullptr);
        return header;
    }

    // Returns null for a pointer that is in no range.
    PageHeader *findHeader(const void *pointer) const noexcept
    {
        return contains(pointer) ? headerOf(pointer) : nullptr;
    }

    QPOOL_ALWAYS_INLINE char *pageOf(const PageHeader *header) const noexcept
    {
        return reinterpret_cast<char *>((reinterpret_cast<std::uintptr_t>(header) - m_headersOfZero)
                                        / sizeof(PageHeader) * PageSize);
    }

    std::size_t rangeBytes() const noexcept { return std::size_t(1) << m_rangeShift; }
    unsigned currentRange() const noexcept { return m_current; }
    bool hasRange(unsigned index) const noexcept { return m_pageCount[index] != 0; }
    std::size_t pageCount(unsigned index) const noexcept { return m_pageCount[index]; }
    std::size_t freshIndex(unsigned index) const noexcept
    {
        return m_fresh[index].load(std::memory_order_relaxed);
    }

    char *rangeStart(unsigned index) const noexcept
    {
        return reinterpret_cast<char *>(m_base.load(std::memory_order_relaxed)
                                        + (std::uintptr_t(index) << m_rangeShift));
    }

    // Returns a never-used page of the current range; the caller has made it usable.
    PageHeader *takeFresh() noexcept
    {
        const std::size_t index = freshIndex(m_current);
        m_fresh[m_current].store(std::uint32_t(index + 1), std::memory_order_release);
        if (m_current == m_first)
            m_firstFresh.store(index + 1, std::memory_order_release);
        countUsed(1);
        return headerOf(rangeStart(m_current) + index * PageSize);
    }

private:
    // Until there is a range no address may be in it, even for a thread that sees the new size and
    // the old base. No user-space pointer is near this base on 64-bit systems, so the offset is
    // larger than any size; on others, the load of the size orders the loads.
    static constexpr std::uintptr_t NoBase = std::uintptr_t(1) << (sizeof(void *) * 8 - 1);
    static constexpr std::memory_order SizeOrder = sizeof(void *) == 8
            ? std::memory_order_relaxed : std::memory_order_acquire;

    QPOOL_ALWAYS_INLINE std::uintptr_t offsetInFirst(const void *pointer) const noexcept
    {
        return reinterpret_cast<std::uintptr_t>(pointer)
                - m_firstBase.load(std::memory_order_relaxed);
    }

    QPOOL_ALWAYS_INLINE bool isInFirst(const void *pointer) const noexcept
    {
        // Load the size first; where necessary, this load orders the other.
        const std::size_t size = m_firstSize.load(SizeOrder);
        return offsetInFirst(pointer) < size;
    }

    // For a pointer that is not in the used pages of the first range.
    QPOOL_NEVER_INLINE PageHeader *findUsedFar(const void *pointer) const noexcept
    {
        return hasHeader(pointer) ? headerOf(pointer) : nullptr;
    }

    friend struct Inspection;

    // What the fast paths read, separate from what changes with every page: where the table would
    // begin if it covered address 0, and the first range.
    alignas(CacheLineSize) std::uintptr_t m_headersOfZero = 0;
    std::atomic<std::uintptr_t> m_firstBase { NoBase };
    std::atomic<std::size_t> m_firstSize { 0 };
    PageHeader *m_firstHeaders = nullptr;
    std::atomic<std::uintptr_t> m_minusFirstBase { std::uintptr_t(0) - NoBase }; // saves an instruction

    std::atomic<std::uintptr_t> m_base { 0 };
    std::atomic<std::size_t> m_size { 0 };
    unsigned m_rangeShift = 0;
    unsigned m_current = 0;
    unsigned m_first = 0;
    alignas(CacheLineSize) std::atomic<std::size_t> m_firstFresh { 0 };
    std::atomic<std::uint32_t> m_fresh[RangeCount] = {};
    std::uint32_t m_pageCount[RangeCount] = {};
};

QPOOL_END_NAMESPACE

#endif // QPOOLPAGESPAN_H
