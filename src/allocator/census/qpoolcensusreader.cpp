// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcensusreader.h"
#include "qpoolcensustally.h"
#include "../stats/qpoolprintable.h"

#include <algorithm>
#include <new>
#include <tuple>

#include <unistd.h>

// As the user of this program calls the command: packages define another.
#ifndef QPOOL_COMMAND
#  define QPOOL_COMMAND "./qpool"
#endif

namespace QPool {

namespace {

std::string processName(std::int64_t pid)
{
    return pid ? "process " + std::to_string(pid) : std::string("the process itself");
}

// The rows of a tally, with names that any terminal may show. Now that the chunks are counted, allocations do no harm.
std::vector<CensusRow> rowsOf(const CensusTally &tally, ClassNames &names)
{
    std::map<std::tuple<unsigned, std::string, std::string, int>, CensusRow> rows;
    tally.forEach([&](const CensusTally::Entry &entry) {
        CensusRow row;
        row.domain = PoolWalk::domainName(entry.domain);
        const ClassNames::Class *type = entry.word > CensusTally::Unloaded ? names.find(entry.word)
                                                                           : nullptr;
        if (type && type->guessed && row.domain == PoolWalk::domainName(PoolWalk::HeapDomain))
            type = nullptr;
        if (type) {
            row.name = printable(type->name) + (type->unloaded ? " (unloaded)" : "");
            row.module = printable(type->module);
            row.eventType = entry.eventType;
        } else if (entry.word == CensusTally::Unloaded) {
            row.name = Census::UnloadedClass;
            row.eventType = entry.eventType;
        } else {
            row.name = Census::NoClass;
        }
        CensusRow &sum = rows[{ entry.domain, row.name, row.module, row.eventType }];
        row.count = sum.count + entry.count;
        row.bytes = sum.bytes + entry.bytes;
        sum = std::move(row);
    });
    std::vector<CensusRow> result;
    for (auto &entry : rows)
        result.push_back(std::move(entry.second));
    // The largest first, equal ones by name. Not std::stable_sort(): libstdc++ 12's calls a function that
    // newer compilers report as deprecated.
    const auto place = [](const CensusRow &row) {
        return std::tie(row.domain, row.name, row.module, row.eventType);
    };
    std::sort(result.begin(), result.end(), [&](const CensusRow &a, const CensusRow &b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : place(a) < place(b);
    });
    return result;
}

} // namespace

CensusReader::CensusReader(std::int64_t pid, bool own)
    : m_pid(pid)
    , m_memory(own ? 0 : pid)
    , m_names(m_memory)
{
}

bool CensusReader::isReadable(Error *error, std::string *message) const
{
    const std::string problem = m_memory.problem(processName(m_pid));
    if (problem.empty())
        return true;
    *error = m_memory.isGone() ? NoProcess : NotPermitted;
    *message = problem;
    return false;
}

bool CensusReader::readFacts(std::uintptr_t table, Error *error, std::string *message)
{
    Facts facts;
    std::string why;
    if (facts.read(m_memory, table, &why) && m_facts.take(facts, &why))
        return true;
    *error = Incompatible;
    *message = "the pool of " + processName(m_pid) + " can't be read: " + why;
    return false;
}

std::unique_ptr<CensusReader> CensusReader::attach(std::int64_t pid, Error *error,
                                                   std::string *message)
{
    std::unique_ptr<CensusReader> reader(new CensusReader(pid, false));
    if (!reader->isReadable(error, message))
        return nullptr;
    Mappings mappings;
    if (!mappings.read(reader->m_memory)) {
        *error = NoProcess;
        *message = processName(pid) + " has ended";
        return nullptr;
    }
    // Of QtCore, or of a program that QtCore is linked into.
    const std::uintptr_t table = Facts::find(reader->m_memory, mappings, "qt_pool_allocator_facts", "libQt6Core");
    if (!table) {
        *error = NoPool;
        *message = processName(pid) + " has no QtCore with a pool: start it with " QPOOL_COMMAND " run";
        return nullptr;
    }
    if (!reader->readFacts(table, error, message))
        return nullptr;
    *error = NoError;
    return reader;
}

std::unique_ptr<CensusReader> CensusReader::ofOwnProcess(const void *facts, Error *error,
                                                         std::string *message)
{
    std::unique_ptr<CensusReader> reader(new CensusReader(0, true));
    if (!reader->isReadable(error, message)
        || !reader->readFacts(reinterpret_cast<std::uintptr_t>(facts), error, message)) {
        return nullptr;
    }
    *error = NoError;
    return reader;
}

bool CensusReader::take(Census *census, Error *error, std::string *message)
{
    // A process may be larger than the caller has memory for.
    try {
        *error = tryTake(census, message);
    } catch (const std::bad_alloc &) {
        *error = NoMemory;
        *message = "there is no memory for a census of " + processName(m_pid);
    }
    m_names.setMappings(nullptr);
    return *error == NoError;
}

CensusReader::Error CensusReader::tryTake(Census *census, std::string *message)
{
    *census = Census();
    census->pid = std::uint64_t(m_pid ? m_pid : getpid());
    Mappings mappings;
    if (!mappings.read(m_memory)) {
        *message = processName(m_pid) + " has ended";
        return NoProcess;
    }
    PoolWalk walk(m_memory, m_facts, mappings.bytes());
    CensusTally tally(mappings, m_names, walk);
    const WalkResult result = walk.run(tally);
    if (result == WalkResult::Unreadable) {
        const bool ended = !mappings.read(m_memory);
        *message = processName(m_pid)
                + (ended ? " has ended"
                         : " can't be read: it is just starting, or has become another program");
        return ended ? NoProcess : NoPool;
    }
    if (result != WalkResult::Complete) {
        *message = "the pool of " + processName(m_pid) + " can't be read: " + problemOf(result);
        return Damaged;
    }
    m_names.setMappings(&mappings);
    census->rows = rowsOf(tally, m_names);
    for (const PoolWalk::Arena &arena : walk.arenas()) {
        CensusArena seen;
        seen.id = arena.id;
        seen.thread = arena.thread;
        seen.orphaned = arena.orphaned;
        seen.parked = arena.parked;
        seen.live = arena.live;
        seen.uncertain = arena.uncertain;
        seen.moving = arena.moving;
        census->arenas.push_back(seen);
    }
    std::reverse(census->arenas.begin(), census->arenas.end());
    return NoError;
}

} // namespace QPool
