// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolfacts.h"

#include <cstring>

namespace QPool {

bool Facts::read(const ProcessMemory &memory, std::uintptr_t table, std::string *message)
{
    m_count = 0;
    for (; m_count < Most; ++m_count) {
        Entry &entry = m_entries[m_count];
        if (!memory.read(table + m_count * sizeof(Entry), &entry)) {
            *message = "the pool's table of facts can't be read";
            return false;
        }
        entry.name[sizeof(entry.name) - 1] = '\0';
        if (!entry.name[0])
            break;
    }
    const std::uintptr_t version = number("version");
    if (version != Version) {
        *message = "its pool is of another build: the table of facts has version "
                + std::to_string(version) + ", and version " + std::to_string(Version)
                + " is understood";
        return false;
    }
    return true;
}

const Facts::Entry &Facts::find(const char *name)
{
    for (unsigned i = 0; i < m_count; ++i) {
        if (std::strcmp(m_entries[i].name, name) == 0)
            return m_entries[i];
    }
    if (m_missing.empty())
        m_missing = name;
    static constexpr Entry none {};
    return none;
}

} // namespace QPool
