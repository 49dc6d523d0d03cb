// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFACTS_H
#define QPOOLFACTS_H

#include "qpoolmappings.h"

#include <string>

namespace QPool {

/*
    The facts of a process's table, such as qt_pool_allocator_facts, by name. The table may be of another build than
    the reader, with other offsets, or may be forged. So each fact is looked up together with what it must
    satisfy. The first that does not, or is missing, is the problem; what was looked up is used only if there
    is none.
*/
class Facts
{
public:
    using Word = std::uintptr_t;
    static constexpr Word Version = 8; // Inspection::Version, the table's first fact

    // A kind of record in the process's memory, with its size.
    struct Record
    {
        Word bytes;
    };

    // Where a process has the table that its modules export as \a symbol; 0 if none does. Looks first in files whose
    // names begin with \a usual.
    static std::uintptr_t find(const ProcessMemory &memory, const Mappings &mappings, const char *symbol,
                               const char *usual);

    // Copies the table. False if that is not possible or if it has another version than \a wanted, with the reason as
    // a clause in \a message.
    bool read(const ReadableMemory &memory, std::uintptr_t table, std::string *message, Word wanted = Version);

    // The size of a record.
    Record record(const char *name, Word least, Word most) { return { number(name, least, most) }; }

    // The offset of a field of \a width bytes in a record, or of an array of \a count such fields.
    Word field(const char *name, Record record, Word width, Word count = 1);

    // The address of a record.
    Word place(const char *name, Record record);

    // An address that need not be of anything.
    Word address(const char *name) { return find(name).address; }

    Word number(const char *name, Word least, Word most);
    Word powerOfTwo(const char *name, Word least, Word most);

    // A clause; empty if all facts that were looked up are right.
    const std::string &problem() const { return m_problem; }

private:
    struct Entry
    {
        char name[24];
        Word number;
        Word address;
    };
    static constexpr unsigned Most = 128;

    const Entry &find(const char *name);
    void require(bool holds, const char *name, const char *otherwise);

    Entry m_entries[Most] = {};
    unsigned m_count = 0;
    std::string m_problem;
};

} // namespace QPool

#endif // QPOOLFACTS_H
