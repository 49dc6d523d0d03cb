// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPROCESSSTATISTICS_H
#define QPOOLPROCESSSTATISTICS_H

#include "../pages/qpoolpage.h"
#include "qpoolstatistics.h"

#include <string>
#include <vector>

QPOOL_BEGIN_NAMESPACE

struct ClassStatistics : BinStatistics
{
    std::uint32_t size = 0; // of a chunk, in bytes
};

struct DomainStatistics
{
    std::string name;
    std::vector<ClassStatistics> classes; // the used ones only, the smallest first
};

// The statistics of a process's pool at one moment, whoever reads them.
struct ProcessStatistics
{
    std::uint64_t pid = 0;
    std::string library; // the version of the library that owns the pool
    bool enabled = false; // false: the pool is disabled
    std::vector<DomainStatistics> domains;
    std::vector<ArenaStatistics> arenas; // the oldest first
    std::uint32_t missingArenas = 0; // not in arenas: they could not be published
    PageMemory memory;

    // Of the classes: what one thread allocated and another freed is in the arenas' numbers.
    std::uint64_t liveBytes() const noexcept
    {
        std::uint64_t sum = 0;
        for (const DomainStatistics &domain : domains) {
            for (const ClassStatistics &chunks : domain.classes)
                sum += chunks.live() * chunks.size;
        }
        return sum;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLPROCESSSTATISTICS_H
