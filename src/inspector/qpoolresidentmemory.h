// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLRESIDENTMEMORY_H
#define QPOOLRESIDENTMEMORY_H

#include "qpoolmemoryowners.h"
#include "qpoolsharedfiles.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace QPool {

class CensusReader;

// The resident memory of a process by owner, at one moment, and what the process takes beyond it. All texts are
// printable.
struct ResidentMemory
{
    static constexpr std::size_t MostParts = 1000;

    // What is not resident, or not in this process.
    struct Beyond
    {
        struct Line
        {
            const char *key; // for programs
            const char *title; // for people
            std::uint64_t bytes;
            bool known; // false: at least that
        };

        std::uint64_t scriptCopies = 0; // pages of the JavaScript heap's files
        bool scriptCopiesKnown = true; // false: at least that
        std::uint64_t sharedFiles = 0; // pages of other files in memory
        bool sharedFilesKnown = true;
        std::uint64_t graphics = 0; // buffers, as the devices tell
        std::uint64_t huge = 0; // pages of hugetlbfs
        std::uint64_t swapped = 0;
        std::uint64_t pageTables = 0;

        std::array<Line, 6> lines() const noexcept;
        // What neither this process nor another one shows.
        std::uint64_t hidden() const noexcept { return scriptCopies + sharedFiles + graphics + huge; }
        bool isHiddenKnown() const noexcept { return scriptCopiesKnown && sharedFilesKnown; }
    };

    // What has the same owner and the same name.
    struct Part
    {
        MemoryOwner owner;
        std::string name;
        std::uint64_t bytes = 0;
    };

    std::uint64_t pid = 0;
    std::string program;
    std::array<std::uint64_t, MemoryOwnerCount> owners {}; // bytes
    Beyond beyond;
    std::vector<Part> parts; // the largest first, at most MostParts
    std::string poolProblem; // why the pool's memory is among the anonymous; empty if it is not
    std::string liveProblem; // why the live part of the pool is not known

    std::uint64_t of(MemoryOwner owner) const noexcept { return owners[std::size_t(owner)]; }
    std::uint64_t resident() const noexcept;
    std::uint64_t pool() const noexcept;
    std::uint64_t script() const noexcept; // without code
    std::uint64_t files() const noexcept;
};

// Reads the memory of a process again and again. It needs the right to trace the process for reading, and to
// find the pool the right to attach to it.
class ResidentMemoryReader
{
public:
    enum Error { NoError, NoProcess, NotPermitted };

    explicit ResidentMemoryReader(std::int64_t pid);
    ~ResidentMemoryReader();

    // False, with the reason as a sentence without a full stop in \a message, if the process can't be read.
    bool read(ResidentMemory *memory, Error *error, std::string *message);

private:
    void readPool(PoolPlaces *places, ResidentMemory *memory, std::array<std::uint64_t, 4> *live);
    bool readPublished(std::array<std::uint64_t, 4> *live) const;

    const std::int64_t m_pid;
    ProcFolder m_folder;
    std::unique_ptr<CensusReader> m_census;
};

} // namespace QPool

#endif // QPOOLRESIDENTMEMORY_H
