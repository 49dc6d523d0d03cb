// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMAPPINGS_H
#define QPOOLMAPPINGS_H

#include "qpoolprocessmemory.h"
#include "qpoolsystemallocator.h"

#include <string>

namespace QPool {

// The mappings of a process: /proc/PID/maps at one moment.
class Mappings
{
public:
    struct Entry
    {
        std::uintptr_t begin;
        std::uintptr_t end;
        std::uintptr_t offset; // in the file
        std::uint32_t path; // the path's offset in m_text; 0: not of a file
        bool executable;
    };

    // False if it can't be read.
    bool read(const ProcessMemory &memory);

    const Entry *find(std::uintptr_t address) const noexcept;
    // The mapping of a program's or library's file that contains \a address, if any.
    const Entry *findInModule(std::uintptr_t address) const noexcept
    {
        const Entry *entry = find(address);
        return entry && entry->path ? entry : nullptr;
    }
    const char *pathOf(const Entry &entry) const noexcept { return m_text.data() + entry.path; }
    // The file's name without its folder, and whether it was deleted.
    std::string nameOf(const Entry &entry) const;
    // The address of the file's beginning, for a mapping of a module.
    std::uintptr_t baseOf(const Entry &entry) const noexcept;

    const SystemVector<Entry> &entries() const noexcept { return m_entries; }

private:
    bool readText(const ProcessMemory &memory);
    void addZeroes(const ProcessMemory &memory, Entry *entry);

    SystemVector<char> m_text; // the file's lines, each with a null byte at its end
    SystemVector<Entry> m_entries;
};

} // namespace QPool

#endif // QPOOLMAPPINGS_H
