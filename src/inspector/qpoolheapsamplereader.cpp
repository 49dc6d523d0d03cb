// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolheapsamplereader.h"

#include <qpoolcommandname.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace QPool {

namespace {

constexpr std::size_t NoStack = std::size_t(-1);

template <class Value>
Value at(const char *record, std::uintptr_t offset)
{
    Value value;
    std::memcpy(&value, record + offset, sizeof(value));
    return value;
}

HeapProfile::Sum sumAt(const char *record, const SampleFacts::Sum &where, double objectParts)
{
    HeapProfile::Sum sum;
    // Freed and read at the same time, a number may be below zero for a moment.
    const auto positive = [&](std::uintptr_t offset) {
        return std::max<std::int64_t>(at<std::int64_t>(record, offset), 0);
    };
    sum.samples = std::uint64_t(positive(where.samples));
    sum.objects = double(positive(where.objects)) / objectParts;
    sum.bytes = double(positive(where.bytes));
    return sum;
}

} // namespace

bool HeapSampleReader::fail(Error kind, const std::string &clause, Error *error, std::string *message) const
{
    *error = kind;
    *message = "process " + std::to_string(m_pid) + clause;
    return false;
}

bool HeapSampleReader::failToRead(Error *error, std::string *message) const
{
    Mappings mappings;
    if (!mappings.read(m_memory) || mappings.entries().empty())
        return fail(NoProcess, " has ended", error, message);
    return fail(Damaged, "'s heap samples can't be read: they are not where its table says", error, message);
}

bool HeapSampleReader::checkProcess(Error *error, std::string *message) const
{
    const std::string problem = m_memory.problem("process " + std::to_string(m_pid));
    if (problem.empty())
        return true;
    *error = m_memory.isGone() ? NoProcess : NotPermitted;
    *message = problem;
    return false;
}

bool HeapSampleReader::readFacts(Error *error, std::string *message)
{
    Mappings mappings;
    if (!mappings.read(m_memory))
        return fail(NoProcess, " has ended", error, message);
    const std::uintptr_t table = Facts::find(m_memory, mappings, "qpool_heap_facts", "libqpool-malloc");
    if (!table)
        return fail(NoPool, " has no pool that takes samples: start it with " QPOOL_COMMAND " run", error, message);
    Facts facts;
    std::string why;
    if (!facts.read(m_memory, table, &why, SampleFacts::Version) || !m_facts.take(facts, &why))
        return fail(Damaged, "'s heap samples can't be read: " + why, error, message);
    if (!m_facts.sampled) {
        return fail(NotSampled, m_facts.hardened ? " takes no samples: its pool is hardened, level "
                                            + std::to_string(m_facts.hardened)
                                                 : " takes no samples: it has 32 bits", error, message);
    }
    // A variable of a module. Otherwise the control word might be anything.
    const Mappings::Entry *module = mappings.find(m_facts.state.at);
    if (!module || module->executable)
        return fail(Damaged, "'s heap samples can't be read: the table's state is in no module's data", error, message);
    return true;
}

std::unique_ptr<HeapSampleReader> HeapSampleReader::attach(std::int64_t pid, Error *error, std::string *message)
{
    std::unique_ptr<HeapSampleReader> reader(new HeapSampleReader(pid));
    if (!reader->checkProcess(error, message) || !reader->readFacts(error, message))
        return nullptr;
    *error = NoError;
    return reader;
}

bool HeapSampleReader::readInterval(std::uint64_t *interval, Error *error, std::string *message) const
{
    std::uintptr_t word = 0;
    if (!m_memory.read(m_facts.state.at + m_facts.state.interval, &word))
        return failToRead(error, message);
    *interval = word;
    return true;
}

bool HeapSampleReader::writeInterval(std::uint64_t interval, Error *error, std::string *message) const
{
    if (m_memory.write(m_facts.state.at + m_facts.state.interval, std::uintptr_t(interval)))
        return true;
    if (errno == EACCES || errno == EPERM)
        return fail(NotPermitted, " may not be written to: the system does not let you trace it", error, message);
    return failToRead(error, message);
}

bool HeapSampleReader::read(HeapProfile *profile, Error *error, std::string *message) const
{
    *profile = HeapProfile();
    profile->pid = m_pid;
    const auto &state = m_facts.state;
    std::uintptr_t records = 0;
    if (!readInterval(&profile->interval, error, message))
        return false;
    if (!m_memory.read(state.at + state.records, &records)
        || !m_memory.read(state.at + state.missed, &profile->missed)
        || !m_memory.read(state.at + state.folded, &profile->folded)) {
        return failToRead(error, message);
    }
    if (records == 0)
        return true; // no sample yet

    // Only what was used: the rest of the mapping has no memory.
    std::uint32_t stacks = 0;
    std::uint32_t samples = 0;
    if (!m_memory.read(state.at + state.freshStack, &stacks) || !m_memory.read(state.at + state.freshSample, &samples))
        return failToRead(error, message);
    std::vector<char> bytes(std::min<std::uintptr_t>(stacks, m_facts.records.stackCount) * m_facts.stack.bytes);
    if (!m_memory.read(records + m_facts.records.stacks, bytes.data(), bytes.size()))
        return failToRead(error, message);
    std::vector<std::size_t> places;
    addStacks(bytes, profile, &places);
    bytes.resize(std::min<std::uintptr_t>(samples, m_facts.records.sampleCount) * m_facts.sample.bytes);
    if (!m_memory.read(records + m_facts.records.samples, bytes.data(), bytes.size()))
        return failToRead(error, message);
    addSamples(bytes, profile, places);
    return true;
}

void HeapSampleReader::addStacks(const std::vector<char> &records, HeapProfile *profile,
                                 std::vector<std::size_t> *places) const
{
    const auto &layout = m_facts.stack;
    const auto parts = double(m_facts.records.objectParts);
    for (std::size_t offset = 0; offset < records.size(); offset += layout.bytes) {
        const char *record = records.data() + offset;
        places->push_back(NoStack);
        HeapProfile::Stack stack;
        stack.allocated = sumAt(record, layout.allocated, parts);
        stack.inUse = sumAt(record, layout.inUse, parts);
        if (offset > 0) { // the first record is for stacks without one of their own
            const auto hash = at<std::uint64_t>(record, layout.hash);
            const auto depth = std::min<std::uintptr_t>(at<std::uint32_t>(record, layout.depth), layout.mostFrames);
            if (hash == 0)
                continue; // not in use
            stack.frames.resize(depth);
            std::memcpy(stack.frames.data(), record + layout.frames, depth * sizeof(std::uintptr_t));
            if (StackRecord::hashOf(stack.frames.data(), std::uint32_t(depth)) != hash) {
                ++profile->damaged;
                continue;
            }
        }
        if (stack.allocated.samples == 0 && stack.inUse.samples == 0)
            continue;
        places->back() = profile->stacks.size();
        profile->stacks.push_back(std::move(stack));
    }
}

void HeapSampleReader::addSamples(const std::vector<char> &records, HeapProfile *profile,
                                  const std::vector<std::size_t> &places) const
{
    const auto &layout = m_facts.sample;
    for (std::size_t offset = 0; offset < records.size(); offset += layout.bytes) {
        const char *record = records.data() + offset;
        HeapProfile::Sample sample {};
        sample.address = at<std::uintptr_t>(record, layout.address);
        const auto stack = at<std::uint32_t>(record, layout.stack);
        if (sample.address == 0 || stack >= places.size() || places[stack] == NoStack)
            continue;
        sample.bytes = double(at<std::uint64_t>(record, layout.weight));
        sample.stack = places[stack];
        profile->samples.push_back(sample);
    }
}

} // namespace QPool
