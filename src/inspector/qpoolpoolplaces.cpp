// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolpoolplaces.h"

#include <algorithm>

namespace QPool {

namespace {

// More threads than any system runs, so that a list without an end is left.
constexpr std::size_t MostRecords = std::size_t(1) << 18;

void sortRanges(std::vector<PoolPlaces::Range> &ranges)
{
    std::sort(ranges.begin(), ranges.end(), [](const PoolPlaces::Range &one, const PoolPlaces::Range &other) {
        return one.begin < other.begin;
    });
    // Merged, so that their ends are sorted, too.
    std::vector<PoolPlaces::Range> merged;
    for (const PoolPlaces::Range &range : ranges) {
        if (!merged.empty() && range.begin <= merged.back().end)
            merged.back().end = std::max(merged.back().end, range.end);
        else
            merged.push_back(range);
    }
    ranges = std::move(merged);
}

} // namespace

bool PoolPlaces::read(const ReadableMemory &memory, const LayoutFacts &facts)
{
    pages.clear();
    metadata.clear();
    std::uintptr_t arenas = 0;
    std::uintptr_t caches = 0;
    if (!readSpan(memory, facts) || !memory.read(facts.registry.at + facts.registry.arenas, &arenas)
        || !memory.read(facts.registry.at + facts.registry.remoteCaches, &caches)
        || !readList(memory, arenas, facts.arena.next, facts.arena.bytes)
        || !readList(memory, caches, facts.remoteCache.next, facts.remoteCache.bytes)) {
        return false;
    }
    sortRanges(pages);
    sortRanges(metadata);
    return true;
}

bool PoolPlaces::readSpan(const ReadableMemory &memory, const LayoutFacts &facts)
{
    const auto &span = facts.span;
    std::uintptr_t bytes = 0;
    if (!memory.read(span.at + span.bytes, &bytes))
        return false;
    if (bytes == 0)
        return true; // no page yet
    std::uintptr_t base = 0;
    std::uintptr_t headers = 0;
    std::uint32_t shift = 0;
    std::vector<std::uint32_t> fresh(span.ranges);
    if (!memory.read(span.at + span.base, &base) || !memory.read(span.at + span.headersOfZero, &headers)
        || !memory.read(span.at + span.rangeShift, &shift)
        || !memory.read(span.at + span.fresh, fresh.data(), fresh.size() * sizeof(fresh[0]))) {
        return false;
    }
    if (bytes - 1 > ~std::uintptr_t(0) - base || shift >= 8 * sizeof(base) || bytes >> shift < span.ranges)
        return false;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        const std::uintptr_t begin = base + (std::uintptr_t(i) << shift);
        const std::uintptr_t most = (std::uintptr_t(1) << shift) / facts.page.bytes;
        if (fresh[i] > most)
            return false;
        if (fresh[i] == 0)
            continue;
        pages.push_back({ begin, begin + fresh[i] * facts.page.bytes });
        const std::uintptr_t table = headers + begin / facts.page.bytes * facts.header.bytes;
        metadata.push_back({ table, table + fresh[i] * facts.header.bytes });
    }
    return true;
}

bool PoolPlaces::readList(const ReadableMemory &memory, std::uintptr_t head, std::uintptr_t next,
                          std::uintptr_t bytes)
{
    for (std::size_t count = 0; head; ++count) {
        if (count == MostRecords || bytes > ~std::uintptr_t(0) - head)
            return false;
        metadata.push_back({ head, head + bytes });
        if (!memory.read(head + next, &head))
            return false;
    }
    return true;
}

bool PoolPlaces::overlaps(const std::vector<Range> &ranges, std::uintptr_t begin, std::uintptr_t end) noexcept
{
    const auto first = std::upper_bound(ranges.begin(), ranges.end(), begin,
                                        [](std::uintptr_t place, const Range &range) { return place < range.end; });
    return first != ranges.end() && first->begin < end;
}

} // namespace QPool
