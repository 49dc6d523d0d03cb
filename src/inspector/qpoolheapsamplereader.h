// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHEAPSAMPLEREADER_H
#define QPOOLHEAPSAMPLEREADER_H

#include "census/qpoolprocessmemory.h"
#include "qpoolheapprofile.h"
#include "qpoolsamplefacts.h"
#include "samples/qpoolheapsamples.h"

#include <memory>
#include <string>

namespace QPool {

/*
    Reads the heap samples of a process, and switches sampling on and off: it writes one word of the process's memory,
    which its allocator reads with its next slow path. The process does not help and is not stopped, so records may
    change while they are read; a stack is used only if its frames are those of its hash.

    Nothing that the process claims is trusted, see Facts. What it wrongly claims can at worst change a word of its own.
*/
class HeapSampleReader
{
public:
    enum Error {
        NoError,
        NoProcess, // there is none of this number, or it has ended
        NotPermitted, // the system does not let the caller read, or write, its memory
        NoPool, // it has none
        NotSampled, // its pool takes no samples
        Damaged // what it claims makes no sense
    };

    // Of who names none, in bytes.
    static constexpr std::uint64_t DefaultInterval = HeapSamples::DefaultInterval;

    // Null with \a error set, and a sentence without a full stop in \a message, if that fails.
    static std::unique_ptr<HeapSampleReader> attach(std::int64_t pid, Error *error, std::string *message);

    // In bytes; 0 if sampling is off. False as below.
    bool readInterval(std::uint64_t *interval, Error *error, std::string *message) const;
    bool writeInterval(std::uint64_t interval, Error *error, std::string *message) const;

    bool read(HeapProfile *profile, Error *error, std::string *message) const;

    const ProcessMemory &memory() const noexcept { return m_memory; }

private:
    explicit HeapSampleReader(std::int64_t pid) : m_pid(pid), m_memory(pid) { }

    bool checkProcess(Error *error, std::string *message) const;
    bool readFacts(Error *error, std::string *message);
    bool fail(Error kind, const std::string &clause, Error *error, std::string *message) const;
    bool failToRead(Error *error, std::string *message) const;
    void addStacks(const std::vector<char> &records, HeapProfile *profile, std::vector<std::size_t> *places) const;
    void addSamples(const std::vector<char> &records, HeapProfile *profile,
                    const std::vector<std::size_t> &places) const;

    std::int64_t m_pid;
    ProcessMemory m_memory;
    SampleFacts m_facts {};
};

} // namespace QPool

#endif // QPOOLHEAPSAMPLEREADER_H
