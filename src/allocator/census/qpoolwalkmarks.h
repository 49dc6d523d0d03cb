// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWALKMARKS_H
#define QPOOLWALKMARKS_H

#include "qpoolwalkpages.h"
#include "qpoolwalkremotes.h"

namespace QPool {

// Marks the free chunks in the pages of one bin. No chunk is marked twice, so a list that comes to a chunk
// again, or leads out of the pages, ends: each function returns false then.
class WalkMarks
{
public:
    using Word = std::uintptr_t;

    WalkMarks(const ReadableMemory &memory, const LayoutFacts &facts, const WalkLinks &links)
        : m_memory(memory), m_facts(facts), m_links(links)
    {
    }

    // False if what a header says about its page can't be.
    bool begin(WalkPages::Range pages);

    bool mark(Word chunk);
    bool markArray(Word array, std::size_t count);
    bool markChain(Word chunk);
    bool markBatches(Word batch);

    bool isFree(const WalkPages::Page &page, std::uint32_t index) const noexcept
    {
        return m_marks[page.marks + index / 64] >> index % 64 & 1;
    }

private:
    const ReadableMemory &m_memory;
    const LayoutFacts &m_facts;
    const WalkLinks &m_links;
    WalkPages::Range m_pages {};
    SystemVector<std::uint64_t> m_marks; // one bit for each chunk
};

} // namespace QPool

#endif // QPOOLWALKMARKS_H
