// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHEAPSITES_H
#define QPOOLHEAPSITES_H

#include "qpoolcodesymbols.h"
#include "qpoolheapprofile.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace QPool {

// A stack with names. The functions of the allocator at its top are left out.
struct NamedStack
{
    using Place = CodeSymbols::Place;
    struct Frame
    {
        std::uintptr_t address;
        std::vector<Place> places; // those in line first
    };

    std::vector<Frame> frames; // the innermost first; none: of stacks without a record of their own
    HeapProfile::Sum allocated;
    HeapProfile::Sum inUse;
    std::map<std::string, double> classes; // bytes in use, by the class of the block
};

// Instead of a function: stacks without a record of their own.
inline constexpr const char *NoStackName = "(stacks without a record of their own)";

// All stacks that end in the same function, called by the same one, maybe by way of others.
struct HeapSite
{
    using Place = CodeSymbols::Place;

    Place function;
    Place caller;
    bool isDirect = true; // otherwise there are others between the caller and the function
    std::string type; // the class of most bytes in use; empty: the blocks have none
    HeapProfile::Sum allocated;
    HeapProfile::Sum inUse;
    double growth = 0; // bytes in use, since the profile that it is compared with

    bool hasCaller() const { return caller.isNamed || !caller.module.empty(); }

    // By which sites of two profiles are the same.
    std::string key() const;
};

// Names the stacks of a process. It keeps the names of code for the next profile, as long as the process has the same
// modules. The process's memory must exist as long.
class StackNames
{
public:
    explicit StackNames(const ProcessMemory &memory) : m_memory(memory) { }

    std::vector<NamedStack> of(const HeapProfile &profile);

private:
    void readModules();

    const ProcessMemory &m_memory;
    std::unique_ptr<Mappings> m_mappings;
    std::unique_ptr<CodeSymbols> m_symbols;
};

namespace HeapSites {

// The largest first, by what is in use, by growth if \a before is given, or \a byAllocated.
std::vector<HeapSite> of(const std::vector<NamedStack> &stacks, bool byAllocated,
                         const std::map<std::string, double> *before = nullptr);

// The bytes in use by key, to compare with later.
std::map<std::string, double> bytesByKey(const std::vector<HeapSite> &sites);

} // namespace HeapSites

} // namespace QPool

#endif // QPOOLHEAPSITES_H
