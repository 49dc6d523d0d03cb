// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMEMORYMAP_H
#define QPOOLMEMORYMAP_H

#include <cstdint>
#include <string>
#include <vector>

namespace QPool {

// A mapping of a process, as /proc/PID/smaps describes it. Sizes are in bytes.
struct MemoryMapping
{
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool readable = false;
    bool writable = false;
    bool executable = false;
    bool shared = false; // MAP_SHARED
    bool unreserved = false; // MAP_NORESERVE
    std::uint64_t device = 0; // as stat() has it
    std::uint64_t inode = 0; // 0: no file
    std::string name; // as the process or a file has it; not printable

    std::uint64_t resident = 0;
    std::uint64_t own = 0; // the part of it that no other process has mapped
    std::uint64_t anonymous = 0; // the part of it that is no page of the file
    std::uint64_t swapped = 0;
    std::uint64_t huge = 0; // pages of hugetlbfs, which are not in resident

    std::uint64_t fromFile() const noexcept { return resident > anonymous ? resident - anonymous : 0; }
    bool contains(std::uintptr_t address) const noexcept { return address >= begin && address < end; }
};

/*
    All mappings of a process, by address. The process decides how many there are and what their names are:
    beyond a limit, a hundred times what the largest programs have, the mappings are added to the last one,
    so that the sums are right, and names are empty.
*/
class MemoryMap
{
public:
    static constexpr std::size_t MostMappings = 256 * 1024;
    static constexpr std::size_t MostNameBytes = 16 * 1024 * 1024;

    // Reads smaps from an open file. False if there is nothing in it: the process has ended, or has no memory.
    bool read(int file);

    const std::vector<MemoryMapping> &mappings() const noexcept { return m_mappings; }

    // The mapping that contains an address, if any.
    const MemoryMapping *find(std::uintptr_t address) const noexcept;

private:
    bool begin(const std::string &line);
    void add(const std::string &line);

    std::vector<MemoryMapping> m_mappings;
    std::size_t m_nameBytes = 0;
};

} // namespace QPool

#endif // QPOOLMEMORYMAP_H
