// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolpoolplaces.h"

#include "census/qpoolwalkpages.h"

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
    if (!readWindows(memory, facts) || !memory.read(facts.registry.at + facts.registry.arenas, &arenas)
        || !memory.read(facts.registry.at + facts.registry.remoteCaches, &caches)
        || !readList(memory, arenas, facts.arena.next, facts.arena.bytes)
        || !readList(memory, caches, facts.remoteCache.next, facts.remoteCache.bytes)) {
        return false;
    }
    sortRanges(pages);
    sortRanges(metadata);
    return true;
}

bool PoolPlaces::readWindows(const ReadableMemory &memory, const LayoutFacts &facts)
{
    const auto &windows = facts.windows;
    std::uintptr_t number = 0;
    std::uintptr_t blocks = 0;
    SystemVector<std::uint32_t> taken;
    if (WalkPages::readWindows(memory, facts, &number, &taken) != WalkResult::Complete
        || (!taken.empty() && !memory.read(windows.blocks, &blocks))) {
        return false;
    }
    blockBytes = std::min(std::uint64_t(blocks), UINT64_MAX / facts.page.bytes) * facts.page.bytes;
    for (const std::uint32_t count : taken) {
        const std::uintptr_t start = number++ << windows.shift;
        if (count == 0)
            continue;
        const std::uintptr_t begin = start + windows.firstPage * facts.page.bytes;
        pages.push_back({ begin, begin + count * facts.page.bytes });
        metadata.push_back({ start, begin });
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
