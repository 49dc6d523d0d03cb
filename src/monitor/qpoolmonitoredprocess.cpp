// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmonitoredprocess.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#ifndef F_GET_SEALS
#define F_GET_SEALS 1034
#define F_SEAL_SHRINK 0x0002
#endif

namespace QPool {

// Address space for more would be a burden, and no process publishes as much.
static constexpr off_t LargestSegment = off_t(1) << 30;

MonitoredProcess::MonitoredProcess(std::int64_t pid, ProcEntry entry)
    : m_pid(pid)
    , m_entry(std::move(entry))
    , m_name(m_entry.programName())
{
}

MonitoredProcess::~MonitoredProcess()
{
    if (m_memory)
        munmap(const_cast<void *>(m_memory), m_bytes);
}

MonitoredProcess::Error MonitoredProcess::open(std::string *message)
{
    const std::string number = std::to_string(m_pid);
    // A child of a fork may have its parent's segment open, under the parent's number.
    m_file = m_entry.openMemoryFile(SegmentHeader::NamePrefix + number, &m_number);
    if (!m_file) {
        if (errno == EACCES || errno == EPERM) {
            *message = "process " + number
                       + " may not be looked at: it is another user's, or protected";
            return NotPermitted;
        }
        if (!m_entry.isAlive()) {
            *message = "process " + number + " has ended";
            return NoProcess;
        }
        *message = "process " + number + " (" + m_name
                   + ") publishes nothing: start it with"
                     " ./qpool run, or on the pooled QtCore with QT_POOL_ALLOCATOR=monitor";
        return NotPublishing;
    }

    const std::string what = "what process " + number + " (" + m_name
                             + ") publishes can't be read: ";
    struct stat status;
    // A file that can shrink would make the reader fault.
    const int seals = fcntl(m_file.get(), F_GET_SEALS);
    if (fstat(m_file.get(), &status) != 0 || seals < 0 || !(seals & F_SEAL_SHRINK)
        || status.st_size <= 0 || status.st_size > LargestSegment) {
        *message = what + "it is not sealed, or has no size";
        return seals >= 0 && !(seals & F_SEAL_SHRINK) ? NotPublishing : Damaged;
    }
    void *memory = mmap(nullptr, std::size_t(status.st_size), PROT_READ, MAP_SHARED, m_file.get(),
                        0);
    if (memory == MAP_FAILED) {
        *message = what + "there is no room to map it";
        return Damaged;
    }
    m_memory = memory;
    m_bytes = std::size_t(status.st_size);

    SegmentView::Error error;
    std::string why;
    m_view = SegmentView::open(m_memory, m_bytes, &error, &why);
    *message = what + why;
    if (!m_view) {
        return error == SegmentView::Incompatible ? Incompatible
               : error == SegmentView::Incomplete ? NotPublishing
                                                  : Damaged;
    }
    if (m_view->pid() != std::uint64_t(m_pid)) {
        *message = what + "it is another process's";
        return Damaged;
    }
    return NoError;
}

std::unique_ptr<MonitoredProcess> MonitoredProcess::attach(std::int64_t pid, Error *error,
                                                           std::string *message)
{
    ProcEntry entry(pid);
    if (!entry.isValid()) {
        *error = NoProcess;
        *message = "there is no process " + std::to_string(pid);
        return nullptr;
    }
    std::unique_ptr<MonitoredProcess> process(new MonitoredProcess(pid, std::move(entry)));
    *error = process->open(message);
    if (*error != NoError)
        return nullptr;
    message->clear();
    return process;
}

MonitoredProcess::State MonitoredProcess::state() const
{
    if (m_entry.holds(m_number, m_file))
        return Publishing;
    return m_entry.isAlive() ? Silent : Gone;
}

std::vector<ListedProcess> listProcesses()
{
    std::vector<ListedProcess> result;
    for (std::int64_t pid : ProcEntry::all()) {
        ListedProcess listed;
        listed.pid = pid;
        const auto process = MonitoredProcess::attach(pid, &listed.error, &listed.message);
        if (process) {
            listed.name = process->name();
            listed.since = process->since();
            listed.figures = process->read();
            if (process->state() == MonitoredProcess::Publishing)
                result.push_back(std::move(listed));
        } else if (listed.error == MonitoredProcess::Incompatible
                   || listed.error == MonitoredProcess::Damaged) {
            listed.name = ProcEntry(pid).programName();
            result.push_back(std::move(listed));
        }
    }
    return result;
}

} // namespace QPool
