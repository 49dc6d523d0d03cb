// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFACTS_H
#define QPOOLFACTS_H

#include "qpoolprocessmemory.h"

#include <string>

namespace QPool {

// The facts of a process's table qt_pool_allocator_facts, by name. The table may be of another build than
// the reader, with other offsets. If a fact is missing, the error names it.
class Facts
{
public:
    static constexpr std::size_t Version = 4; // Inspection::Version, the table's first fact

    // False if the table can't be used, with the reason as a clause in \a message.
    bool read(const ProcessMemory &memory, std::uintptr_t table, std::string *message);

    // Each remembers a name that is not in the table: call missing() at the end.
    std::uintptr_t number(const char *name) { return find(name).number; }
    std::uintptr_t address(const char *name) { return find(name).address; }
    const std::string &missing() const { return m_missing; }

private:
    struct Entry
    {
        char name[24];
        std::uintptr_t number;
        std::uintptr_t address;
    };
    static constexpr unsigned Most = 128;

    const Entry &find(const char *name);

    Entry m_entries[Most] = {};
    unsigned m_count = 0;
    std::string m_missing;
};

} // namespace QPool

#endif // QPOOLFACTS_H
