// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPAGERANGE_H
#define QPOOLPAGERANGE_H

#include "qpoolpage.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

// The pages of a source that has one contiguous range, with the table of their headers. Whether a pointer is in the
// range takes one subtraction and one comparison; the header of a chunk takes one more shift. The class hands out
// pages; the user provides the memory and the locking, and keeps those that come back.
template <std::size_t PageSizeV>
class PageRange
{
public:
    static constexpr std::size_t PageSize = PageSizeV;
    static_assert((PageSize & (PageSize - 1)) == 0, "pages are powers of two");
    static_assert(!hardened || PageSize <= PageEvidence::PageSize,
                  "hardened builds know of pages of 64 KiB at most");

    constexpr PageRange() = default;

    // The address space must be aligned to PageSize; the table may be anywhere.
    void initialize(void *headers, void *pages, std::size_t pageCount) noexcept
    {
        m_headers = static_cast<PageHeader *>(headers);
        m_headersOfZero = reinterpret_cast<std::uintptr_t>(headers)
                - reinterpret_cast<std::uintptr_t>(pages) / PageSize * sizeof(PageHeader);
        m_base.store(reinterpret_cast<std::uintptr_t>(pages), std::memory_order_relaxed);
        m_minusBase.store(std::uintptr_t(0) - reinterpret_cast<std::uintptr_t>(pages),
                          std::memory_order_relaxed);
        m_size.store(pageCount * PageSize, std::memory_order_release);
    }

    bool isInitialized() const noexcept { return m_size.load(std::memory_order_relaxed) != 0; }

    // May run while another thread reserves the range. A thread that holds one of the range's chunks has seen both
    // stores. Any other may see one without the other, and still gets the right answer, false: see NoBase.
    QPOOL_ALWAYS_INLINE bool contains(const void *pointer) const noexcept
    {
        // Load the size first: on 32-bit systems this load orders the other.
        const std::size_t size = m_size.load(SizeOrder);
        return offsetOf(pointer) < size;
    }

    QPOOL_ALWAYS_INLINE PageHeader *headerOf(const void *pointer) const noexcept
    {
        // From the address itself, because pages are aligned: this saves a load and a subtraction.
        return reinterpret_cast<PageHeader *>(
                m_headersOfZero
                + reinterpret_cast<std::uintptr_t>(pointer) / PageSize * sizeof(PageHeader));
    }

    // Combines contains() and the lookup: null for a pointer that is not in the range.
    QPOOL_ALWAYS_INLINE PageHeader *findHeader(const void *pointer) const noexcept
    {
        const std::size_t size = m_size.load(SizeOrder);
        const std::uintptr_t offset = offsetOf(pointer);
        if (QPOOL_UNLIKELY(offset >= size))
            return nullptr;
        PageHeader *header = m_headers + offset / PageSize;
        QPOOL_ASSUME(header != nullptr); // so that the caller's test is merged
        return header;
    }

    // The same, but also null for a page that was never handed out and has no header yet: for the checks of hardened
    // builds. A thread that holds a chunk of the page has seen the stores that made the page used. Any other may see an
    // older number of pages, and gets null for a chunk that is not its own.
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

    std::size_t freshIndex() const noexcept { return m_fresh.load(std::memory_order_relaxed); }

    // Returns \a count contiguous pages that were never used; the caller has committed them.
    PageHeader *takeFresh(std::size_t count) noexcept
    {
        const std::size_t index = freshIndex();
        // Release: a thread that reads the new count also sees the table: see findUsedHeader().
        m_fresh.store(index + count, std::memory_order_release);
        return m_headers + index;
    }

private:
    // Until the range is reserved no address may be in it, even for a thread that sees the new size and the old base.
    // No user-space pointer is near this base on 64-bit systems, so the offset is larger than any size; on others, the
    // load of the size orders the loads.
    static constexpr std::uintptr_t NoBase = std::uintptr_t(1) << (sizeof(void *) * 8 - 1);
    static constexpr std::memory_order SizeOrder = sizeof(void *) == 8
            ? std::memory_order_relaxed : std::memory_order_acquire;

    QPOOL_ALWAYS_INLINE std::uintptr_t offsetOf(const void *pointer) const noexcept
    {
        return reinterpret_cast<std::uintptr_t>(pointer)
                - m_base.load(std::memory_order_relaxed);
    }

    std::atomic<std::uintptr_t> m_base { NoBase };
    std::atomic<std::uintptr_t> m_minusBase { std::uintptr_t(0) - NoBase }; // saves an instruction
    std::atomic<std::size_t> m_size { 0 };
    PageHeader *m_headers = nullptr;
    std::uintptr_t m_headersOfZero = 0; // where the table would begin if it covered address 0
    std::atomic<std::size_t> m_fresh { 0 }; // index of the first page never handed out
};

QPOOL_END_NAMESPACE

#endif // QPOOLPAGERANGE_H
