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
    const WalkResult result = readSpan();
    if (result != WalkResult::Complete)
        return result;
    constexpr std::size_t bufferBytes = std::size_t(1) << 18;
    const std::size_t step = std::max<std::size_t>(1, bufferBytes / m_facts.header.bytes);
    m_buffer.resize(step * m_facts.header.bytes);
    for (std::size_t range = 0; range < m_fresh.size(); ++range) {
        const Word start = (m_base + (Word(range) << m_rangeShift)) / m_facts.page.bytes;
        for (std::size_t first = 0; first < m_fresh[range]; first += step) {
            if (!readHeaders(start + first, std::min<std::size_t>(step, m_fresh[range] - first), bins))
                return WalkResult::Unreadable;
        }
    }
    std::sort(m_pages.begin(), m_pages.end(), [](const Page &one, const Page &other) {
        return one.bin != other.bin ? one.bin < other.bin : one.start < other.start;
    });
    return WalkResult::Complete;
}

// The process stores the size last, and the rest is constant from then on.
WalkResult WalkPages::readSpan()
{
    const auto &span = m_facts.span;
    m_fresh.clear();
    if (!m_memory.read(span.at + span.bytes, &m_bytes))
        return WalkResult::Unreadable;
    if (m_bytes == 0)
        return WalkResult::Complete;
    m_fresh.resize(span.ranges);
    if (!m_memory.read(span.at + span.base, &m_base)
        || !m_memory.read(span.at + span.headersOfZero, &m_headersOfZero)
        || !m_memory.read(span.at + span.rangeShift, &m_rangeShift)
        || !m_memory.read(span.at + span.fresh, m_fresh.data(), span.ranges * sizeof(m_fresh[0]))) {
        return WalkResult::Unreadable;
    }
    // The ranges lie one after the other in the span, and their pages in them, so no page is seen twice.
    const bool isSpan = m_base % m_facts.page.bytes == 0 && m_bytes - 1 <= ~Word(0) - m_base
            && m_rangeShift < 8 * sizeof(Word) && m_bytes >> m_rangeShift >= span.ranges;
    const Word most = isSpan ? (Word(1) << m_rangeShift) / m_facts.page.bytes : 0;
    if (!std::all_of(m_fresh.begin(), m_fresh.end(), [most](std::uint32_t n) { return n <= most; })
        || !isSpan) {
        return WalkResult::OddSpan;
    }
    const auto pages = std::accumulate(m_fresh.begin(), m_fresh.end(), std::uint64_t(0));
    return pages <= m_limits.pages(m_facts.page.bytes) ? WalkResult::Complete : WalkResult::ManyPages;
}

// The table begins where it would if it covered address 0, so its addresses may wrap.
bool WalkPages::readHeaders(Word number, std::size_t count, const SystemVector<Word> &bins)
{
    const auto &facts = m_facts.header;
    if (!m_memory.read(m_headersOfZero + number * facts.bytes, m_buffer.data(), count * facts.bytes))
        return false;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned char *data = m_buffer.data() + i * facts.bytes;
        Page page {};
        page.bin = at<Word>(data, facts.bin);
        if (!at<Word>(data, facts.owner) || !std::binary_search(bins.begin(), bins.end(), page.bin))
            continue;
        page.start = (number + i) * m_facts.page.bytes;
        page.free = at<Word>(data, facts.free);
        page.fresh = at<std::uint32_t>(data, facts.fresh);
        page.capacity = at<std::uint32_t>(data, facts.capacity);
        page.chunkSize = at<std::uint32_t>(data, facts.chunkSize);
        m_pages.push_back(page);
    }
    return true;
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
