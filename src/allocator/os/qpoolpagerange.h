// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPAGERANGE_H
#define QPOOLPAGERANGE_H

#include "qpoolpage.h"
#include "../qpoolsizeclasses.h"

#include <atomic>

namespace QPool {

// How much address space and memory a page source holds, in bytes.
struct PageMemory
{
    std::size_t reserved = 0;
    std::size_t committed = 0;
    std::size_t returned = 0; // was committed, went back to the system, and is kept as addresses
};

// One contiguous range of pages with the table of their headers: "is this ours?" is one
// subtraction and one compare, the header of a chunk one shift more. It hands out and takes
// back; where the memory comes from, and the locking, are its user's.
//
// Cached pages wait for the size class that had them, in its pair of lists. If all of a page was
// ever touched it serves any other class as well. Otherwise it does not: what is touched of it is
// what its class needs, and another one would touch the rest, and leave to this one a page that is
// touched as a whole, for its corner.
template <std::size_t PageSizeV>
class PageRange
{
public:
    static constexpr std::size_t PageSize = PageSizeV;
    static_assert((PageSize & (PageSize - 1)) == 0, "pages are powers of two");
    static_assert(!hardened || PageSize <= PageEvidence<2>::PageSize,
                  "hardened builds know of pages of 64 KiB at most");

    constexpr PageRange() = default;

    // The address space must be aligned to PageSize; the table stands before the pages.
    void initialize(void *headers, void *pages, std::size_t pageCount) noexcept
    {
        m_headers = static_cast<PageHeader *>(headers);
        m_headersOfZero = reinterpret_cast<std::uintptr_t>(headers)
                - reinterpret_cast<std::uintptr_t>(pages) / PageSize * sizeof(PageHeader);
        m_pageCount = pageCount;
        m_base.store(reinterpret_cast<std::uintptr_t>(pages), std::memory_order_relaxed);
        m_minusBase.store(std::uintptr_t(0) - reinterpret_cast<std::uintptr_t>(pages),
                          std::memory_order_relaxed);
        m_size.store(pageCount * PageSize, std::memory_order_release);
    }

    bool isInitialized() const noexcept { return m_size.load(std::memory_order_relaxed) != 0; }

    // A thread may ask while another reserves the range. One that holds a chunk of ours has
    // seen both stores; one that does not may see either without the other, and gets the
    // right answer, no, all the same: see NoBase.
    QPOOL_ALWAYS_INLINE bool contains(const void *pointer) const noexcept
    {
        // The size first, where its load orders the other.
        const std::size_t size = m_size.load(SizeOrder);
        return offsetOf(pointer) < size;
    }

    // Whether \a pointer is in a page that was ever handed out: those have headers that can be
    // looked at. For checks of pointers that may be anything.
    bool hasHeader(const void *pointer) const noexcept
    {
        return contains(pointer)
                && offsetOf(pointer) / PageSize < m_fresh.load(std::memory_order_relaxed);
    }

    QPOOL_ALWAYS_INLINE PageHeader *headerOf(const void *pointer) const noexcept
    {
        // From the address itself, pages being aligned: one load and one subtraction less.
        return reinterpret_cast<PageHeader *>(
                m_headersOfZero
                + reinterpret_cast<std::uintptr_t>(pointer) / PageSize * sizeof(PageHeader));
    }

    // Both in one: null for a pointer that is not in the range.
    QPOOL_ALWAYS_INLINE PageHeader *findHeader(const void *pointer) const noexcept
    {
        const std::size_t size = m_size.load(SizeOrder);
        const std::uintptr_t offset = offsetOf(pointer);
        if (QPOOL_UNLIKELY(offset >= size))
            return nullptr;
        PageHeader *header = m_headers + offset / PageSize;
        QPOOL_ASSUME(header != nullptr); // one test, and not two, in the caller
        return header;
    }

    // The same, and null for a page that was never handed out, too, which has no header to be
    // looked at: for the checks of hardened builds. Before there is a range no page was. A thread
    // that holds a chunk of the page has seen the stores that made it used; any other may see an older
    // number of pages, and gets no header for what is not its chunk.
    QPOOL_ALWAYS_INLINE PageHeader *findUsedHeader(const void *pointer) const noexcept
    {
        const std::size_t fresh = m_fresh.load(SizeOrder);
        const std::uintptr_t page = (m_minusBase.load(std::memory_order_relaxed)
                                     + reinterpret_cast<std::uintptr_t>(pointer)) / PageSize;
        if (QPOOL_UNLIKELY(page >= fresh))
            return nullptr;
        PageHeader *header = m_headers + page;
        QPOOL_ASSUME(header != nullptr);
        return header;
    }

    QPOOL_ALWAYS_INLINE char *pageOf(const PageHeader *header) const noexcept
    {
        return reinterpret_cast<char *>(m_base.load(std::memory_order_relaxed))
                + std::size_t(header - m_headers) * PageSize;
    }

    std::size_t pageCount() const noexcept { return m_pageCount; }
    std::size_t usedPages() const noexcept { return m_used; }
    std::size_t cachedPages() const noexcept { return m_cachedCount; }
    std::size_t wholeCached() const noexcept { return m_wholeCount; }
    std::size_t partialBytes() const noexcept { return m_partialBytes; }
    PageHeader *header(std::size_t index) const noexcept { return m_headers + index; }
    std::size_t freshIndex() const noexcept { return m_fresh.load(std::memory_order_relaxed); }

    // \a count never-used pages in a row; the caller has made them usable.
    PageHeader *takeFresh(std::size_t count) noexcept
    {
        const std::size_t index = freshIndex();
        PageHeader *first = m_headers + index;
        // Who learns from it that there are pages learns where, too: see findUsedHeader().
        m_fresh.store(index + count, std::memory_order_release);
        m_used += count;
        return first;
    }

    // One that had chunks of \a chunkSize, if possible the whole of it, or one of which another
    // class had the whole; null if there is none.
    PageHeader *takeCached(std::size_t chunkSize) noexcept
    {
        const unsigned index = classOf(chunkSize);
        if (PageHeader *page = takeFrom(m_whole[index]))
            return page;
        if (PageHeader *page = takeFrom(m_partial[index]))
            return page;
        return takeWidest(m_whole);
    }

    // Any, and rather one that is touched as a whole.
    PageHeader *takeAnyCached() noexcept
    {
        PageHeader *page = takeWidest(m_whole);
        return page ? page : takeWidest(m_partial);
    }

    static bool isWhole(const PageHeader *page) noexcept
    {
        return page->touched > PageSize / 8 * 7;
    }

    // What a free page counts for that keeps its memory: that is what was touched of it. A quarter
    // at least, so that there is a bound on their number.
    static std::size_t heldBytes(const PageHeader *page) noexcept
    {
        return page->touched > PageSize / 4 ? page->touched : PageSize / 4;
    }

    PageHeader *takeReturned() noexcept
    {
        PageHeader *page = pop(m_returned);
        if (page)
            ++m_used;
        return page;
    }

    // How many cached pages were there all the time since this was last asked: nobody needed
    // them.
    std::size_t takeCachedLow() noexcept
    {
        const std::size_t low = m_cachedLow;
        m_cachedLow = m_cachedCount;
        return low;
    }

    // Freed and still holding memory.
    void putCached(PageHeader *page) noexcept
    {
        const bool whole = isWhole(page);
        PageHeader *&list = (whole ? m_whole : m_partial)[classOf(page->chunkSize)];
        page->next = list;
        list = page;
        if (whole)
            ++m_wholeCount;
        else
            m_partialBytes += heldBytes(page);
        ++m_cachedCount;
        --m_used;
    }

    // Freed, its memory given back to the system.
    void putReturned(PageHeader *page) noexcept
    {
        page->touched = 0;
        page->next = m_returned;
        m_returned = page;
        --m_used;
    }

private:
    // Before there is a range no address may be in it, even for a thread that sees the new
    // size and the old base. With this base, which no user-space pointer comes near on 64-bit
    // systems, the offset is larger than any size; elsewhere the load of the size orders them.
    static constexpr std::uintptr_t NoBase = std::uintptr_t(1) << (sizeof(void *) * 8 - 1);
    static constexpr std::memory_order SizeOrder = sizeof(void *) == 8
            ? std::memory_order_relaxed : std::memory_order_acquire;

    QPOOL_ALWAYS_INLINE std::uintptr_t offsetOf(const void *pointer) const noexcept
    {
        return reinterpret_cast<std::uintptr_t>(pointer)
                - m_base.load(std::memory_order_relaxed);
    }

    // What is wider than any size class shares the last.
    static unsigned classOf(std::size_t chunkSize) noexcept
    {
        return chunkSize < SizeClasses::MaxSize ? SizeClasses::indexOf(chunkSize)
                                                : SizeClasses::Count - 1;
    }

    PageHeader *takeWidest(PageHeader *(&lists)[SizeClasses::Count]) noexcept
    {
        for (unsigned index = SizeClasses::Count; index-- > 0;) {
            if (PageHeader *page = takeFrom(lists[index]))
                return page;
        }
        return nullptr;
    }

    PageHeader *takeFrom(PageHeader *&list) noexcept
    {
        PageHeader *page = pop(list);
        if (page) {
            if (isWhole(page))
                --m_wholeCount;
            else
                m_partialBytes -= heldBytes(page);
            --m_cachedCount;
            if (m_cachedCount < m_cachedLow)
                m_cachedLow = m_cachedCount;
            ++m_used;
        }
        return page;
    }

    static PageHeader *pop(PageHeader *&list) noexcept
    {
        PageHeader *page = list;
        if (page)
            list = page->next;
        return page;
    }

    friend struct Inspection;

    std::atomic<std::uintptr_t> m_base { NoBase };
    std::atomic<std::uintptr_t> m_minusBase { std::uintptr_t(0) - NoBase }; // saves an instruction
    std::atomic<std::size_t> m_size { 0 };
    PageHeader *m_headers = nullptr;
    std::uintptr_t m_headersOfZero = 0; // where the table would begin if it began with address 0
    std::size_t m_pageCount = 0;
    std::atomic<std::size_t> m_fresh { 0 }; // index of the first page never handed out
    std::size_t m_used = 0;
    std::size_t m_cachedCount = 0;
    std::size_t m_cachedLow = 0;
    std::size_t m_wholeCount = 0;
    std::size_t m_partialBytes = 0;
    PageHeader *m_whole[SizeClasses::Count] = {};
    PageHeader *m_partial[SizeClasses::Count] = {};
    PageHeader *m_returned = nullptr;
};

} // namespace QPool

#endif // QPOOLPAGERANGE_H
