// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMAPPINGS_H
#define QPOOLMAPPINGS_H

#include "qpoolprocessmemory.h"
#include "qpoolsystemallocator.h"

#include <string>

namespace QPool {

/*
    The mappings of programs and libraries in a process: those of files, in /proc/PID/maps at one moment.

    The process decides what is there, so there is a limit to the number of mappings and the length of their
    paths, a hundred times what the largest programs have. What is behind the limit is not in a module.
*/
class Mappings
{
public:
    struct Entry
    {
        std::uintptr_t begin;
        std::uintptr_t end;
        std::uintptr_t base; // where the beginning of the file is, or would be
        std::uint64_t device; // the file's, as maps has it; other interfaces may name another device
        std::uint64_t inode; // 0: the module's zero-initialised variables, which are not in the file
        std::uint32_t path; // its offset in m_paths
        bool executable;

        bool isSameFile(const Entry &other) const noexcept
        {
            return device == other.device && inode == other.inode;
        }
    };

    // False if they can't be read.
    bool read(const ProcessMemory &memory);

    // The mapping that contains \a address, if any.
    const Entry *find(std::uintptr_t address) const noexcept;
    const char *pathOf(const Entry &entry) const noexcept { return m_paths.data() + entry.path; }
    // Whether the path is followed by the system's note that no file has it any more.
    bool isDeleted(const Entry &entry) const noexcept;
    // The file's name without its folder, and whether it was deleted.
    std::string nameOf(const Entry &entry) const;

    const SystemVector<Entry> &entries() const noexcept { return m_entries; }
    std::uint64_t bytes() const noexcept;

private:
    class Lines;

    void add(const char *line, const ProcessMemory &memory, std::uint64_t *left);
    void addZeroes(const Entry &following, const ProcessMemory &memory, std::uint64_t *left);

    SystemVector<char> m_paths; // each with a null byte at its end; equal ones that follow each other once
    SystemVector<Entry> m_entries;
};

} // namespace QPool

#endif // QPOOLMAPPINGS_H
