// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMAPPINGS_H
#define QPOOLMAPPINGS_H

#include "qpoolprocessmemory.h"
#include "qpoolsystemallocator.h"

#include <string>

namespace QPool {

// What is mapped where in a process: /proc/PID/maps of one moment.
class Mappings
{
public:
    struct Entry
    {
        std::uintptr_t begin;
        std::uintptr_t end;
        std::uintptr_t offset; // in the file
        std::uint32_t path; // where in the text; 0: no file's
        bool executable;
    };

    // False if it can't be read.
    bool read(const ProcessMemory &memory);

    const Entry *find(std::uintptr_t address) const noexcept;
    // Of a program's or library's file, if \a address is in one.
    const Entry *findInModule(std::uintptr_t address) const noexcept
    {
        const Entry *entry = find(address);
        return entry && entry->path ? entry : nullptr;
    }
    const char *pathOf(const Entry &entry) const noexcept { return m_text.data() + entry.path; }
    // The file's name without its folder, and whether the file was deleted.
    std::string nameOf(const Entry &entry) const;
    // Where the file's beginning is mapped, for an entry of a module.
    std::uintptr_t baseOf(const Entry &entry) const noexcept;

    const SystemVector<Entry> &entries() const noexcept { return m_entries; }

private:
    bool readText(const ProcessMemory &memory);

    SystemVector<char> m_text; // its lines, null bytes for their ends
    SystemVector<Entry> m_entries;
};

} // namespace QPool

#endif // QPOOLMAPPINGS_H
