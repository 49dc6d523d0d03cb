// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOBJECTFACTS_H
#define QPOOLOBJECTFACTS_H

#include "qpoolobjectlayout.h"

#include <unordered_map>
#include <vector>

namespace QPool {

/*
    Reads the private members of a process's QObjects. The process runs on and may lie, so an object is one only if
    it and its private part point to each other, lists end, and each function reads a bounded number of records. They
    point to each other at the same offset, so which of them is the private part shows only by what it points to:
    its thread. Only one thread at a time may use an object of this class.
*/
class ObjectFacts
{
public:
    using Word = std::uintptr_t;
    static constexpr std::size_t MostConnections = 10000; // of one object, in each direction
    static constexpr std::size_t MostChildren = std::size_t(1) << 20;
    static constexpr std::size_t MostNameCharacters = 100;
    static constexpr std::size_t MostScores = 64 * 1024;

    struct Object
    {
        Word address = 0;
        Word vtable = 0;
        Word parent = 0; // 0: none
        Word threadData = 0;
        Word extraData = 0;
        Word connections = 0;
        Word childArray = 0;
        std::uint64_t children = 0;
        bool deleteLater = false;
    };

    struct Thread
    {
        Word object = 0; // the QThread
        Word id = 0; // pthread_self()
    };

    ObjectFacts(const ReadableMemory &memory, const ObjectLayout &layout)
        : m_memory(memory), m_layout(layout)
    {
    }

    // The object at an address. False if there is none.
    bool read(Word address, Object *object) const;

    // The address of the object whose private part is there, or 0.
    Word ofPrivate(Word address, Word candidate) const;

    // In UTF-8, printable; empty if it has none.
    std::string nameOf(const Object &object) const;

    Thread threadOf(const Object &object) const;

    // The connections to its slots; and those from its signals.
    std::size_t incoming(const Object &object) const;
    std::size_t outgoing(const Object &object) const;

    // Its children in the order in which they came, at most MostChildren.
    std::vector<Word> childrenOf(const Object &object) const;

private:
    // 2 for the data of a thread, 1 for what may be that of a thread whose QThread is deleted, 0 for all else.
    int threadScore(Word data) const;
    int privateScore(Word address) const;
    std::size_t count(Word connection, Word next, std::size_t most) const;

    const ReadableMemory &m_memory;
    const ObjectLayout &m_layout;
    mutable std::unordered_map<Word, int> m_scores; // of QThreadData
};

} // namespace QPool

#endif // QPOOLOBJECTFACTS_H
