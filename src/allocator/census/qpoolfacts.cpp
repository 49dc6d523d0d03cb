// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolfacts.h"

#include <algorithm>
#include <cstring>

namespace QPool {

bool Facts::read(const ReadableMemory &memory, std::uintptr_t table, std::string *message, Word wanted)
{
    for (m_count = 0; m_count < Most; ++m_count) {
        Entry &entry = m_entries[m_count];
        if (!memory.read(table + m_count * sizeof(Entry), &entry)) {
            *message = "the pool's table of facts can't be read";
            return false;
        }
        entry.name[sizeof(entry.name) - 1] = '\0';
        if (!entry.name[0])
            break;
    }
    const Word version = find("version").number;
    if (version != wanted) {
        *message = "its pool is of another build: the table of facts has version "
                + std::to_string(version) + ", and version " + std::to_string(wanted)
                + " is understood";
        return false;
    }
    return true;
}

const Facts::Entry &Facts::find(const char *name)
{
    const Entry *const begin = m_entries;
    const Entry *const end = begin + m_count;
    const Entry *const found = std::find_if(begin, end, [name](const Entry &entry) {
        return std::strcmp(entry.name, name) == 0;
    });
    if (found != end)
        return *found;
    if (m_problem.empty())
        m_problem = std::string("its pool is of another build: the table of facts lacks ") + name;
    static constexpr Entry none {};
    return none;
}

void Facts::require(bool holds, const char *name, const char *otherwise)
{
    if (!holds && m_problem.empty())
        m_problem = std::string("the table's ") + name + otherwise;
}

Facts::Word Facts::field(const char *name, Record record, Word width, Word count)
{
    const Word offset = find(name).number;
    // A record that is wrong itself is the problem already.
    const bool fits = offset <= record.bytes && width > 0 && count <= (record.bytes - offset) / width;
    require(fits, name, " lies outside of its record");
    // As wide as the power of two in the width, but at most as a word.
    const Word alignment = std::min(width & (~width + 1), Word(sizeof(Word)));
    require(offset % std::max(alignment, Word(1)) == 0, name, " is not aligned");
    return offset;
}

Facts::Word Facts::place(const char *name, Record record)
{
    const Word address = find(name).address;
    require(address % sizeof(Word) == 0, name, " is not aligned");
    require(address != 0 && record.bytes <= ~Word(0) - address, name, " is no address");
    return address;
}

Facts::Word Facts::number(const char *name, Word least, Word most)
{
    const Word number = find(name).number;
    require(number >= least && number <= most, name, " is out of range");
    return number;
}

Facts::Word Facts::powerOfTwo(const char *name, Word least, Word most)
{
    const Word value = number(name, least, most);
    require((value & (value - 1)) == 0, name, " is no power of two");
    return value;
}

} // namespace QPool
