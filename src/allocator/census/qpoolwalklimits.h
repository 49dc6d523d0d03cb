// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWALKLIMITS_H
#define QPOOLWALKLIMITS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace QPool {

/*
    What bounds the work and the memory of a walk, whatever the process's memory says.

    Records lie beside each other in mapped memory, so there are never more of them than fit in it. But a
    process may map far more than any machine has memory for: one page many times, or a range that it never
    touches. So there are constants, too, which are far beyond what any process has. The walk's memory is at
    most about a gigabyte.
*/
class WalkLimits
{
public:
    static constexpr std::size_t MostStateBytes = 512; // of a bin's part that changes
    static constexpr std::size_t MostInBatch = 4096;

    // \a mappedBytes is the sum of the process's mappings, before the walk.
    explicit WalkLimits(std::uint64_t mappedBytes)
        : m_mappedBytes(mappedBytes + Growth)
    {
    }

    std::size_t arenas(std::size_t bytes) const { return fit(bytes, 65536); }
    std::size_t remoteCaches(std::size_t bytes) const { return fit(bytes, 65536); }
    std::size_t pages(std::size_t bytes) const { return fit(bytes, std::size_t(1) << 22); }
    // Of the bins that are in use. \a bytes is the memory for one.
    std::size_t bins(std::size_t bytes) const { return (std::size_t(1) << 27) / bytes; }

    // In all remote caches. Chunks in lists take a system call each.
    static constexpr std::size_t MostRemoteChunks = std::size_t(1) << 24;
    static constexpr std::size_t MostRemoteLinks = std::size_t(1) << 20;
    // In the pages of one bin: in words of 64 chunks.
    static constexpr std::size_t MostMarks = std::size_t(1) << 25;

private:
    // The process may have grown since its mappings were read.
    static constexpr std::uint64_t Growth = std::uint64_t(256) << 20;

    std::size_t fit(std::size_t bytes, std::size_t most) const
    {
        return std::size_t(std::min<std::uint64_t>(m_mappedBytes / bytes, most));
    }

    std::uint64_t m_mappedBytes;
};

// How a walk ended, or a part of it.
enum class WalkResult {
    Complete,
    Unreadable, // the process has ended or has become another program, or its pool is just being made
    EndlessArenas,
    EndlessRemoteCaches,
    OddBins,
    ManyBins,
    OddWindows,
    ManyPages
};

// A clause that says what is wrong in the process's memory; empty for the first two.
const char *problemOf(WalkResult result) noexcept;

} // namespace QPool

#endif // QPOOLWALKLIMITS_H
