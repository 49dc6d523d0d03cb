// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDCHECK_H
#define QPOOLSHAREDCHECK_H

#include "qpoolsharedheap.h"

QPOOL_BEGIN_NAMESPACE

/*
    Checks all metadata of a segment, and compares each number with what it must be: every page is
    in use once or free once, derived data is what a rebuild would yield, and the roots' blocks are
    in use. Reads nothing outside of the segment, whatever it contains, as long as no thread writes
    meanwhile; changes nothing.
*/
class SharedCheck
{
public:
    // \a heap must have been validated (SharedLayout).
    explicit SharedCheck(SharedHeap &heap) noexcept;

    // Returns null if everything is sound, otherwise what is not.
    const char *problem() noexcept;

private:
    const char *pages() noexcept;
    const char *slab(std::uint32_t page, std::uint32_t index) noexcept;
    const char *freeBits(std::uint32_t page, bool isFree) const noexcept;
    const char *trees() const noexcept;
    const char *lists() const noexcept;
    const char *roots() const noexcept;
    bool isInUse(std::uint64_t offset, std::uint64_t size, std::uint64_t alignment) const noexcept;

    SharedHeap &m_heap;
    SharedPage *const m_pages;
    SharedCell<std::uint64_t> *const m_words;
    const std::uint32_t m_pageCount;
    const std::uint32_t m_metaPages;
    const std::uint32_t m_orderCount;
    std::uint64_t m_freePages = 0;
    std::uint64_t m_usedBytes = 0;
    std::uint64_t m_usedBlocks = 0;
    std::uint32_t m_partial[SharedClasses::Count] = {};
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDCHECK_H
