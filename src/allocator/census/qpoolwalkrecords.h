// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWALKRECORDS_H
#define QPOOLWALKRECORDS_H

#include "qpoolreadablememory.h"
#include "qpoolsystemallocator.h"
#include "qpoolwalklimits.h"

#include <algorithm>
#include <cstring>

namespace QPool::WalkRecords {

using Word = std::uintptr_t;

// A value of a record that was copied.
template <class Value>
Value at(const unsigned char *data, Word offset)
{
    Value value;
    std::memcpy(&value, data + offset, sizeof(value));
    return value;
}

/*
    Follows a list of records of \a bytes bytes each, which have the address of the next one at \a next, and
    adds their addresses to \a list. Records do not overlap, so a list with more than \a most records, or
    that comes to a record a second time, is \a endless. Such lists of a pool only grow at their heads, so no
    moment makes them look so.
*/
inline WalkResult follow(const ReadableMemory &memory, Word head, Word next, Word bytes,
                         std::size_t most, WalkResult endless, SystemVector<Word> *list)
{
    list->clear();
    for (Word record = head; record;) {
        const bool isRecord = record % sizeof(Word) == 0 && bytes <= ~Word(0) - record;
        if (!isRecord || list->size() == most)
            return endless;
        list->push_back(record);
        if (!memory.read(record + next, &record))
            return WalkResult::Unreadable;
    }
    SystemVector<Word> sorted = *list;
    std::sort(sorted.begin(), sorted.end());
    const auto overlap = std::adjacent_find(sorted.begin(), sorted.end(), [bytes](Word one, Word other) {
        return other - one < bytes;
    });
    return overlap == sorted.end() ? WalkResult::Complete : endless;
}

} // namespace QPool::WalkRecords

#endif // QPOOLWALKRECORDS_H
