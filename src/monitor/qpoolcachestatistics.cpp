// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcachestatistics.h"

#include "qpoolsegmentreading_p.h"

#include <algorithm>

namespace QPool {

CacheCounts CacheStatistics::counts() const noexcept
{
    CacheCounts sum;
    for (const CategoryStatistics &category : categories) {
        for (const auto &[name, count] : AllCacheCounts)
            SegmentReading::add(sum.*count, category.*count);
    }
    return sum;
}

bool CacheStatistics::hasParts() const noexcept
{
    // A cache without named categories has its own, unnamed category alone.
    return categories.size() > 1 || (categories.size() == 1 && !categories.front().name.empty());
}

bool CacheStatistics::isWhole() const noexcept
{
    return std::all_of(
            categories.begin(), categories.end(),
            [](const CategoryStatistics &category) { return category.missingStocks == 0; });
}

} // namespace QPool
