// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWALKPAGES_H
#define QPOOLWALKPAGES_H

#include "qpoollayoutfacts.h"
#include "qpoolsystemallocator.h"
#include "qpoolwalklimits.h"

namespace QPool {

// The pages of a pool, as their headers describe them. A header is a claim: what it says about its page is
// checked by WalkMarks.
class WalkPages
{
public:
    using Word = std::uintptr_t;

    struct Page
    {
        Word bin;
        Word start;
        Word free; // its first free chunk
        std::uint32_t used;
        std::uint32_t fresh;
        std::uint32_t capacity;
        std::uint32_t chunkSize;
        std::uint32_t marks; // see WalkMarks
    };
    struct Range // of pages
    {
        Page *first;
        Page *end;
    };

    WalkPages(const ReadableMemory &memory, const LayoutFacts &facts, const WalkLimits &limits)
        : m_memory(memory), m_facts(facts), m_limits(limits)
    {
    }

    // The number of the first window, and how many pages of each have headers; none before a page was needed.
    static WalkResult readWindows(const ReadableMemory &memory, const LayoutFacts &facts, Word *number,
                                  SystemVector<std::uint32_t> *taken);

    // Finds the pages of these bins, whose addresses are sorted.
    WalkResult read(const SystemVector<Word> &bins);

    // Those of one bin, sorted by address.
    Range of(Word bin) noexcept;

    // Whether an address is in the pages of any bin, used or not.
    bool contains(Word address) const noexcept;

private:
    bool readHeaders(Word window, std::size_t first, std::size_t count, const SystemVector<Word> &bins);

    const ReadableMemory &m_memory;
    const LayoutFacts &m_facts;
    const WalkLimits &m_limits;
    Word m_first = 0; // the number of the first window
    SystemVector<std::uint32_t> m_taken; // see readWindows()
    SystemVector<Page> m_pages; // by bin, then by address
    SystemVector<unsigned char> m_buffer;
};

} // namespace QPool

#endif // QPOOLWALKPAGES_H
