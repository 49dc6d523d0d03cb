// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMEMORYOWNERS_H
#define QPOOLMEMORYOWNERS_H

#include "qpoolmemorymap.h"
#include "qpoolpoolplaces.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace QPool {

// To whom a part of a process's resident memory belongs.
enum class MemoryOwner : unsigned {
    PoolEvents, // live chunks
    PoolObjects,
    PoolPrivates,
    PoolHeap,
    PoolFree, // in the pool's pages, but in no live chunk
    PoolMetadata,
    Heap, // the C library's, as the system names it
    Anonymous,
    ScriptHeap,
    ScriptStack,
    MadeCode, // JIT
    Stacks,
    FilesShared, // pages of files that other processes have mapped, too
    FilesOwn,
    FilesChanged, // private copies of pages of files
    SharedMemory,
    Graphics,
    System // what the system maps into every process
};
constexpr std::size_t MemoryOwnerCount = std::size_t(MemoryOwner::System) + 1;

// For programs: "pool.event"; and for people.
const char *keyOf(MemoryOwner owner) noexcept;
const char *titleOf(MemoryOwner owner) noexcept;

// What the names of mappings say. They are the process's own, and so may be wrong.
struct MappingName
{
    // A file that exists in memory only: its size is not limited to what is resident.
    static bool isMemoryFile(const MemoryMapping &mapping);
    static bool isGraphics(const MemoryMapping &mapping);
    static bool isScript(const MemoryMapping &mapping); // of QtQml's JavaScript engine, in a memory file

    // Whether QtQml has no memory files, because the malloc front refuses them.
    static bool areScriptsAnonymous(const MemoryMap &map);
};

/*
    Divides mappings among their owners. All but the pool's pages belong to one owner, except that a file's
    mapping is divided by what the system says of its pages. So the sum is the sum of what is resident.
*/
class MemoryDivision
{
public:
    using Named = std::map<std::pair<MemoryOwner, std::string>, std::uint64_t>; // bytes, by owner and mapping

    struct Part
    {
        MemoryOwner owner;
        std::uint64_t bytes;
    };

    // \a stacks: an address in the stack of each thread but the first, sorted. \a anonymousScripts: if the pool
    // is in use, only QtQml reserves anonymous memory without a claim to it. glibc's arenas do, too.
    MemoryDivision(const PoolPlaces &places, std::vector<std::uintptr_t> stacks, bool anonymousScripts = false);

    // The parts of a mapping; those of the pool's pages are PoolFree at first.
    std::vector<Part> divide(const MemoryMapping &mapping) const;

    // Moves the bytes of live chunks from PoolFree to their domains, in that order, as far as there are any:
    // what is live may be swapped out.
    static void setLive(Named &named, std::array<std::uint64_t, 4> live);

private:
    MemoryOwner ownerOfAnonymous(const MemoryMapping &mapping) const;

    const PoolPlaces &m_places;
    std::vector<std::uintptr_t> m_stacks;
    bool m_anonymousScripts;
};

} // namespace QPool

#endif // QPOOLMEMORYOWNERS_H
