// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolwalkpages.h"
#include "qpoolwalkrecords.h"

#include <numeric>

namespace QPool {

using WalkRecords::at;

WalkResult WalkPages::read(const SystemVector<Word> &bins)
{
    m_pages.clear();
    const WalkResult result = readWindows(m_memory, m_facts, &m_first, &m_taken);
    if (result != WalkResult::Complete)
        return result;
    const auto pages = std::accumulate(m_taken.begin(), m_taken.end(), std::uint64_t(0));
    if (pages > m_limits.pages(m_facts.page.bytes))
        return WalkResult::ManyPages;
    constexpr std::size_t bufferBytes = std::size_t(1) << 18;
    const std::size_t step = std::max<std::size_t>(1, bufferBytes / m_facts.header.bytes);
    m_buffer.resize(step * m_facts.header.bytes);
    for (std::size_t window = 0; window < m_taken.size(); ++window) {
        const Word start = (m_first + window) << m_facts.windows.shift;
        for (std::size_t first = 0; first < m_taken[window]; first += step) {
            if (!readHeaders(start, first, std::min<std::size_t>(step, m_taken[window] - first), bins))
                return WalkResult::Unreadable;
        }
    }
    std::sort(m_pages.begin(), m_pages.end(), [](const Page &one, const Page &other) {
        return one.bin != other.bin ? one.bin < other.bin : one.start < other.start;
    });
    return WalkResult::Complete;
}

// The process stores the size last, and the rest is constant from then on.
WalkResult WalkPages::readWindows(const ReadableMemory &memory, const LayoutFacts &facts, Word *number,
                                  SystemVector<std::uint32_t> *taken)
{
    const auto &windows = facts.windows;
    taken->clear();
    if (!memory.read(windows.at + windows.first, number))
        return WalkResult::Unreadable;
    const Word most = ~Word(0) >> windows.shift;
    if (*number > most || windows.count > most - *number) // as it is before the first page is needed
        return WalkResult::Complete;
    taken->resize(windows.count);
    if (!memory.read(windows.at + windows.taken, taken->data(), windows.count * sizeof(std::uint32_t)))
        return WalkResult::Unreadable;
    // The windows lie one after the other, and their pages in them, so no page is seen twice.
    const Word pages = (Word(1) << windows.shift) / facts.page.bytes;
    const bool areOdd = windows.firstPage >= pages
            || std::any_of(taken->begin(), taken->end(), [&](std::uint32_t n) {
                   return n > pages - windows.firstPage;
               });
    if (areOdd)
        taken->clear();
    return areOdd ? WalkResult::OddWindows : WalkResult::Complete;
}

bool WalkPages::readHeaders(Word window, std::size_t first, std::size_t count,
                            const SystemVector<Word> &bins)
{
    const auto &facts = m_facts.header;
    const Word number = m_facts.windows.firstPage + first;
    if (!m_memory.read(window + number * facts.bytes, m_buffer.data(), count * facts.bytes))
        return false;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned char *data = m_buffer.data() + i * facts.bytes;
        Page page {};
        page.bin = at<Word>(data, facts.bin);
        if (!at<Word>(data, facts.owner) || !std::binary_search(bins.begin(), bins.end(), page.bin))
            continue;
        page.start = window + (number + i) * m_facts.page.bytes;
        page.free = at<Word>(data, facts.free);
        page.used = at<std::uint32_t>(data, facts.used);
        page.fresh = at<std::uint32_t>(data, facts.fresh);
        page.capacity = at<std::uint32_t>(data, facts.capacity);
        page.chunkSize = at<std::uint32_t>(data, facts.chunkSize);
        m_pages.push_back(page);
    }
    return true;
}

bool WalkPages::contains(Word address) const noexcept
{
    const Word window = (address >> m_facts.windows.shift) - m_first;
    const Word inWindow = address & ((Word(1) << m_facts.windows.shift) - 1);
    const Word page = inWindow / m_facts.page.bytes - m_facts.windows.firstPage; // wraps below the pages
    return window < m_taken.size() && page < m_taken[window];
}

WalkPages::Range WalkPages::of(Word bin) noexcept
{
    struct ByBin
    {
        bool operator()(const Page &page, Word address) const { return page.bin < address; }
        bool operator()(Word address, const Page &page) const { return address < page.bin; }
    };
    const auto pages = std::equal_range(m_pages.data(), m_pages.data() + m_pages.size(), bin, ByBin());
    return { pages.first, pages.second };
}

} // namespace QPool
