// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOBJECTCENSUS_H
#define QPOOLOBJECTCENSUS_H

#include "qpoolobjectfacts.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace QPool {

// What is known of the objects of one class. All texts are printable.
struct ObjectCensus
{
    static constexpr std::size_t MostShown = 10;
    static constexpr std::size_t MostParents = 50; // levels of a chain

    struct Parent // all parents of one class
    {
        std::string name;
        std::uint64_t objects = 0;
        std::uint64_t parents = 0;
        std::uint64_t most = 0; // objects of the parent that has most
        std::uintptr_t mostAddress = 0;
        std::string mostName; // its objectName
    };
    struct Thread
    {
        std::int64_t id = 0; // the system's; 0: not known, or it has not started or has ended
        std::string name; // the QThread's objectName, or the system's
        std::uint64_t objects = 0;
    };
    struct Link // of a chain of parents
    {
        std::uintptr_t address = 0;
        std::string type;
        std::string name;
    };
    struct Shown // one object
    {
        Link self;
        std::vector<Link> parents;
        bool endless = false; // there are more parents
        std::uint64_t children = 0;
        std::uint64_t incoming = 0;
        std::uint64_t outgoing = 0;
        bool deleteLater = false;
        Thread thread;
    };

    // By the connections of an object, in and out: none, 1, 2 to 3, 4 to 7, 8 to 15, more.
    using Distribution = std::array<std::uint64_t, 6>;

    std::uint64_t pid = 0;
    std::string type;
    std::uint64_t objects = 0;
    std::uint64_t withoutParent = 0;
    std::uint64_t deleteLater = 0;
    std::uint64_t incoming = 0;
    std::uint64_t outgoing = 0;
    Distribution byConnections {};
    std::vector<Parent> parents; // the most objects first
    std::vector<Thread> threads; // the same
    std::vector<Shown> largest; // the most children and connections first
    std::vector<Shown> newest; // the last children of the parent that has most, the last first
};

class CensusReader;

/*
    Finds the objects of a class in a process, and who holds them. An object is found if it or its private part is
    in the pool. \a type is the class as a census names it; it may also be that of the private part. False, with a
    sentence in \a message, if the process can't be read, or has no such object.
*/
bool takeObjectCensus(const CensusReader &reader, std::int64_t pid, const std::string &type, ObjectCensus *census,
                      std::string *message);

} // namespace QPool

#endif // QPOOLOBJECTCENSUS_H
