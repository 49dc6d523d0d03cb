// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolwalkmarks.h"

#include <algorithm>

namespace QPool {

using Page = WalkPages::Page;

bool WalkMarks::begin(WalkPages::Range pages)
{
    constexpr std::uint32_t bits = 64;
    std::size_t words = 0;
    for (Page *page = pages.first; page != pages.end; ++page) {
        const bool isPage = page->chunkSize >= m_facts.chunk.bytes && page->used <= page->fresh
                && page->fresh <= page->capacity
                && std::uint64_t(page->capacity) * page->chunkSize <= m_facts.page.bytes;
        if (!isPage || words > WalkLimits::MostMarks)
            return false;
        page->marks = std::uint32_t(words);
        words += (page->capacity + bits - 1) / bits;
    }
    m_pages = pages;
    m_marks.assign(words, 0);
    return true;
}

// False if the address is no chunk of the bin, or if the chunk is free already.
bool WalkMarks::mark(Word chunk)
{
    const Page *page = std::upper_bound(m_pages.first, m_pages.end, chunk,
                                        [](Word address, const Page &behind) {
                                            return address < behind.start;
                                        });
    if (page == m_pages.first)
        return false;
    --page;
    const Word offset = chunk - page->start;
    const Word index = offset / page->chunkSize;
    if (index >= page->fresh || offset % page->chunkSize != 0)
        return false;
    std::uint64_t &word = m_marks[page->marks + index / 64];
    const std::uint64_t bit = std::uint64_t(1) << index % 64;
    const bool first = !(word & bit);
    word |= bit;
    return first;
}

bool WalkMarks::markArray(Word array, std::size_t count)
{
    constexpr std::size_t step = 64;
    Word chunks[step];
    while (count > 0) {
        const std::size_t now = std::min(step, count);
        if (!m_memory.read(array, chunks, now * sizeof(Word)))
            return false;
        if (!std::all_of(chunks, chunks + now, [this](Word chunk) { return mark(chunk); }))
            return false;
        array += now * sizeof(Word);
        count -= now;
    }
    return true;
}

bool WalkMarks::markChain(Word chunk)
{
    while (chunk) {
        if (!mark(chunk) || !m_links.follow(&chunk))
            return false;
    }
    return true;
}

// A batch that was sent has chunks, so each marks one more, and the list ends.
bool WalkMarks::markBatches(Word batch)
{
    while (batch) {
        std::uint32_t count = 0;
        if (!m_memory.read(batch + m_facts.batch.count, &count) || count == 0
            || count > m_facts.batch.capacity || !markArray(batch + m_facts.batch.chunks, count)
            || !m_memory.read(batch + m_facts.batch.next, &batch)) {
            return false;
        }
    }
    return true;
}

} // namespace QPool
