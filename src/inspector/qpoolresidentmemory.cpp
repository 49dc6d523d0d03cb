// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolresidentmemory.h"

#include "census/qpoolcensusreader.h"
#include "qpoolmonitoredprocess.h"
#include "qpoolprocentry.h"
#include "qpoolthreadids.h"
#include "stats/qpoolprintable.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <tuple>

#include <unistd.h>

namespace QPool {

namespace {

constexpr const char *DomainNames[] = { "event", "object", "private", "heap" };

std::size_t domainOf(const std::string &name)
{
    return std::size_t(std::find(std::begin(DomainNames), std::end(DomainNames), name) - std::begin(DomainNames));
}

// "VmPTE:   123 kB"
std::uint64_t pageTablesOf(const ProcFolder &process)
{
    const std::string status = process.text("status", 64 * 1024);
    const std::size_t at = status.find("\nVmPTE:");
    return at == std::string::npos ? 0 : std::strtoull(status.c_str() + at + 7, nullptr, 10) * 1024;
}

std::vector<ResidentMemory::Part> largestOf(const MemoryDivision::Named &parts)
{
    std::vector<ResidentMemory::Part> result;
    for (const auto &entry : parts) {
        if (entry.second > 0)
            result.push_back({ entry.first.first, printable(entry.first.second), entry.second });
    }
    std::sort(result.begin(), result.end(), [](const auto &one, const auto &other) {
        return std::tie(other.bytes, one.owner, one.name) < std::tie(one.bytes, other.owner, other.name);
    });
    if (result.size() > ResidentMemory::MostParts)
        result.resize(ResidentMemory::MostParts);
    return result;
}

} // namespace

std::array<ResidentMemory::Beyond::Line, 6> ResidentMemory::Beyond::lines() const noexcept
{
    return { { { "scriptCopies", "second copy of the JavaScript heap, in files in memory", scriptCopies,
                 scriptCopiesKnown },
               { "sharedFiles", "other files in memory, mapped or open, where not resident here", sharedFiles,
                 sharedFilesKnown },
               { "graphics", "buffers of the graphics driver; mapped ones are above, too", graphics, true },
               { "huge", "huge pages", huge, true },
               { "swapped", "swapped out", swapped, true },
               { "pageTables", "page tables", pageTables, true } } };
}

std::uint64_t ResidentMemory::resident() const noexcept
{
    return std::accumulate(owners.begin(), owners.end(), std::uint64_t(0));
}

std::uint64_t ResidentMemory::pool() const noexcept
{
    return std::accumulate(owners.begin(), owners.begin() + std::size_t(MemoryOwner::PoolMetadata) + 1,
                           std::uint64_t(0));
}

std::uint64_t ResidentMemory::script() const noexcept
{
    return of(MemoryOwner::ScriptHeap) + of(MemoryOwner::ScriptStack);
}

std::uint64_t ResidentMemory::files() const noexcept
{
    return of(MemoryOwner::FilesShared) + of(MemoryOwner::FilesOwn) + of(MemoryOwner::FilesChanged);
}

ResidentMemoryReader::ResidentMemoryReader(std::int64_t pid)
    : m_pid(pid)
    , m_folder("/proc/" + std::to_string(pid))
{
}

ResidentMemoryReader::~ResidentMemoryReader() = default;

bool ResidentMemoryReader::read(ResidentMemory *memory, Error *error, std::string *message)
{
    *memory = ResidentMemory();
    memory->pid = std::uint64_t(m_pid);
    const std::string process = "process " + std::to_string(m_pid);
    const int file = m_folder.isValid() ? m_folder.open("smaps") : -1;
    if (file < 0) {
        const bool isGone = !m_folder.isValid() || errno == ENOENT || errno == ESRCH;
        *error = isGone ? NoProcess : NotPermitted;
        *message = isGone ? "there is no " + process
                          : process + "'s memory may not be read: it is another user's, or protected; look at it"
                                      " as its user, or as the superuser";
        return false;
    }
    MemoryMap map;
    const bool isRead = map.read(file);
    close(file);
    if (!isRead) {
        // A process of the kernel has no memory, either.
        *error = NoProcess;
        *message = process + " has ended, or has no memory of its own";
        return false;
    }
    memory->program = ProcEntry(m_pid).programName();

    PoolPlaces places;
    std::array<std::uint64_t, 4> live {};
    readPool(&places, memory, &live);
    live[domainOf("heap")] += places.blockBytes;
    const MemoryDivision division(places, ThreadIds(m_folder).stacks(m_pid), MappingName::areScriptsAnonymous(map));
    MemoryDivision::Named parts;
    for (const MemoryMapping &mapping : map.mappings()) {
        for (const MemoryDivision::Part &part : division.divide(mapping))
            parts[{ part.owner, mapping.name }] += part.bytes;
        memory->beyond.swapped += mapping.swapped;
        memory->beyond.huge += mapping.huge;
    }
    MemoryDivision::setLive(parts, live);
    for (const auto &part : parts)
        memory->owners[std::size_t(part.first.first)] += part.second;
    memory->parts = largestOf(parts);

    SharedFiles files;
    files.read(m_folder, map);
    files.forEach([&](const SharedFiles::File &one) {
        ResidentMemory::Beyond &beyond = memory->beyond;
        (one.script ? beyond.scriptCopies : beyond.sharedFiles) += one.beyond();
        if (!one.known)
            (one.script ? beyond.scriptCopiesKnown : beyond.sharedFilesKnown) = false;
    });
    memory->beyond.graphics = graphicsBytes(m_folder);
    memory->beyond.pageTables = pageTablesOf(m_folder);
    *error = NoError;
    return true;
}

void ResidentMemoryReader::readPool(PoolPlaces *places, ResidentMemory *memory, std::array<std::uint64_t, 4> *live)
{
    CensusReader::Error error = CensusReader::NoError;
    if (!m_census)
        m_census = CensusReader::attach(m_pid, &error, &memory->poolProblem);
    if (error == CensusReader::NoPool) {
        // None of its memory is the pool's, unless it has the malloc front alone.
        std::array<std::uint64_t, 4> ignored {};
        memory->poolProblem = readPublished(&ignored) ? "the pool is the malloc front's alone, without QtCore's" : "";
    }
    if (!m_census)
        return;
    if (!places->read(m_census->memory(), m_census->facts())) {
        *places = PoolPlaces();
        memory->poolProblem = "the pool's records make no sense, or change";
        return;
    }
    Census census;
    if (readPublished(live))
        return;
    if (!m_census->take(&census, &error, &memory->liveProblem))
        return;
    for (const CensusRow &row : census.rows) {
        const std::size_t domain = domainOf(row.domain);
        if (domain < live->size())
            (*live)[domain] += row.bytes;
    }
}

// What the process publishes needs no search for its live chunks.
bool ResidentMemoryReader::readPublished(std::array<std::uint64_t, 4> *live) const
{
    MonitoredProcess::Error error;
    std::string message;
    const auto process = MonitoredProcess::attach(m_pid, &error, &message);
    if (!process)
        return false;
    const ProcessStatistics statistics = process->read();
    if (statistics.arenas.empty() || statistics.missingArenas > 0)
        return false;
    for (const DomainStatistics &domain : statistics.domains) {
        const std::size_t index = domainOf(domain.name);
        for (const ClassStatistics &one : domain.classes) {
            if (index < live->size() && one.live() > 0)
                (*live)[index] += std::uint64_t(one.live()) * one.size;
        }
    }
    return true;
}

} // namespace QPool
