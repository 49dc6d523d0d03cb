// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYHISTOGRAM_P_H
#define QLATENCYHISTOGRAM_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "qpoolglobal.h"

#include <algorithm>
#include <array>

QPOOL_BEGIN_NAMESPACE

// Counts times in nanoseconds by their logarithm: eight buckets for each power of two, so that a
// bucket's upper end is at most an eighth too large. Times above 17 minutes are in the last bucket.
class LatencyHistogram
{
public:
    static constexpr unsigned Fine = 8;
    static constexpr unsigned Octaves = 38;
    static constexpr unsigned Buckets = Fine * Octaves;

    static constexpr unsigned bucketOf(std::uint64_t nanoseconds) noexcept
    {
        if (nanoseconds < Fine)
            return unsigned(nanoseconds);
        const unsigned shift = highestBit(nanoseconds) - highestBit(Fine);
        const unsigned bucket = (shift + 1) * Fine + unsigned((nanoseconds >> shift) - Fine);
        return bucket < Buckets ? bucket : Buckets - 1;
    }

    // The shortest time of \a bucket, which is also the end of the previous bucket.
    static constexpr std::uint64_t least(unsigned bucket) noexcept
    {
        if (bucket < Fine)
            return bucket;
        return std::uint64_t(Fine + bucket % Fine) << (bucket / Fine - 1);
    }

    void add(std::uint64_t nanoseconds) noexcept
    {
        ++m_counts[bucketOf(nanoseconds)];
        ++m_count;
        m_total += nanoseconds;
        m_worst = (std::max)(m_worst, nanoseconds);
    }

    void add(const LatencyHistogram &other) noexcept
    {
        for (unsigned bucket = 0; bucket < Buckets; ++bucket)
            m_counts[bucket] += other.m_counts[bucket];
        m_count += other.m_count;
        m_total += other.m_total;
        m_worst = (std::max)(m_worst, other.m_worst);
    }

    std::uint64_t count() const noexcept { return m_count; }
    std::uint64_t total() const noexcept { return m_total; }
    std::uint64_t worst() const noexcept { return m_worst; }
    std::uint64_t countIn(unsigned bucket) const noexcept { return m_counts[bucket]; }

    // The time that \a percent of all did not exceed: never too small, at most an eighth too large.
    std::uint64_t percentile(unsigned percent) const noexcept
    {
        const std::uint64_t rank = (m_count * percent + 99) / 100;
        std::uint64_t seen = 0;
        for (unsigned bucket = 0; bucket < Buckets; ++bucket) {
            seen += m_counts[bucket];
            if (seen >= rank && seen != 0) {
                // The last bucket has no end.
                return bucket + 1 == Buckets ? m_worst
                                             : (std::min)(m_worst, least(bucket + 1) - 1);
            }
        }
        return 0;
    }

private:
    std::array<std::uint64_t, Buckets> m_counts {};
    std::uint64_t m_count = 0;
    std::uint64_t m_total = 0;
    std::uint64_t m_worst = 0;
};

QPOOL_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYHISTOGRAM_P_H
