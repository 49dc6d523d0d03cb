// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmonitoredprocess.h"

#include "qlatencysegment_p.h"
#include "qpoolcommandname.h"

#include <cerrno>
#include <utility>

namespace QPool {

MonitoredProcess::MonitoredProcess(std::int64_t pid, ProcEntry entry)
    : m_pid(pid)
    , m_entry(std::move(entry))
    , m_name(m_entry.programName())
{
}

MonitoredProcess::~MonitoredProcess() = default;

MonitoredProcess::Error MonitoredProcess::kindOf(SegmentView::Error error)
{
    return error == SegmentView::Incompatible ? Incompatible
           : error == SegmentView::Incomplete ? NotPublishing
                                              : Damaged;
}

MonitoredProcess::Error MonitoredProcess::openPool(std::string *message)
{
    const std::string number = std::to_string(m_pid);
    std::string why;
    // A child of a fork may have its parent's segment open, under the parent's number.
    const auto found = m_poolFile.open(m_entry, SegmentHeader::NamePrefix + number, &why);
    if (found == PublishedFile::Absent) {
        if (errno == EACCES || errno == EPERM) {
            *message = "process " + number
                       + " cannot be watched: it belongs to another user, or is protected";
            return NotPermitted;
        }
        if (!m_entry.isAlive()) {
            *message = "process " + number + " has ended";
            return NoProcess;
        }
        *message = "process " + number + " (" + m_name
                   + ") publishes nothing: start it with"
                     " " QPOOL_COMMAND " run, or on the pooled QtCore with QT_POOL_ALLOCATOR=monitor";
        return NotPublishing;
    }

    const std::string unreadable = "the segment of process " + number + " (" + m_name
                                   + ") can't be read: ";
    if (found != PublishedFile::Mapped) {
        *message = unreadable + why;
        return found == PublishedFile::Unsealed ? NotPublishing : Damaged;
    }
    SegmentView::Error error;
    m_pool = SegmentView::open(m_poolFile.memory(), m_poolFile.bytes(), &error, &why);
    if (!m_pool) {
        *message = unreadable + why;
        return kindOf(error);
    }
    if (m_pool->pid() != std::uint64_t(m_pid)) {
        m_pool.reset();
        *message = unreadable + "it belongs to another process";
        return Damaged;
    }
    return NoError;
}

template <class View>
MonitoredProcess::Error MonitoredProcess::openPart(const char *prefix, PublishedFile &file,
                                                   std::optional<View> &view, std::string *message)
{
    switch (file.open(m_entry, prefix + std::to_string(m_pid), message)) {
    case PublishedFile::Mapped:
        break;
    case PublishedFile::Absent:
    case PublishedFile::Unsealed: // not a segment of QPool
        return NotPublishing;
    case PublishedFile::Unusable:
        return Damaged;
    }
    SegmentView::Error error;
    view = View::open(file.memory(), file.bytes(), &error, message);
    if (!view)
        return kindOf(error);
    if (view->pid() != std::uint64_t(m_pid)) {
        view.reset();
        *message = "it belongs to another process";
        return Damaged;
    }
    return NoError;
}

MonitoredProcess::Error MonitoredProcess::openCaches(std::string *message)
{
    return openPart(CacheSegmentHeader::NamePrefix, m_cacheFile, m_caches, message);
}

MonitoredProcess::Error MonitoredProcess::openLatency(std::string *message)
{
    return openPart(QPoolLatencySegmentHeader::NamePrefix, m_latencyFile, m_latency, message);
}

PublishedLatency MonitoredProcess::readLatency()
{
    PublishedLatency result;
    const std::string process = "process " + std::to_string(m_pid) + " (" + m_name + ")";
    std::string why;
    const Error error = m_latency ? NoError : openLatency(&why);
    if (error == NoError) {
        // The last text is kept if the process writes during each attempt.
        if (m_latency->number() != m_latencyText.number) {
            if (auto text = m_latency->read())
                m_latencyText = *std::move(text);
        }
        result.state = PublishedLatency::Recorded;
        result.text = m_latencyText;
    } else if (error == Incompatible || error == Damaged) {
        result.state = error == Incompatible ? PublishedLatency::Incompatible : PublishedLatency::Damaged;
        result.problem = "the event latency of " + process + " can't be read: " + why;
    } else {
        result.problem = process + " does not record how long events wait: start it with"
                " " QPOOL_COMMAND " run --latency, on a QtCore with the feature event_latency";
    }
    return result;
}

MonitoredProcess::Error MonitoredProcess::open(std::string *message)
{
    const Error error = openPool(message);
    if (error != NotPublishing)
        return error;
    // A program may have caches without a pool for Qt or malloc(), and a QtCore without the pool records
    // event latency, too.
    std::string why;
    const char *part = "object caches";
    Error ofPart = openCaches(&why);
    if (ofPart == NotPublishing) {
        part = "event latency";
        ofPart = openLatency(&why);
    }
    switch (ofPart) {
    case Incompatible:
    case Damaged:
        *message = std::string("the segment of ") + part + " of process " + std::to_string(m_pid) + " ("
                   + m_name + ") can't be read: " + why;
        return ofPart;
    case NoError:
        return NoError;
    default:
        return error;
    }
}

std::uint64_t MonitoredProcess::since() const noexcept
{
    return m_pool ? m_pool->since() : m_caches ? m_caches->since() : m_latency->since();
}

ProcessStatistics MonitoredProcess::read()
{
    std::string ignored;
    if (!m_pool && openPool(&ignored) != NoError) {
        ProcessStatistics none;
        none.pid = std::uint64_t(m_pid);
        none.enabled = true;
        for (const char *name : { "event", "object", "private" })
            none.domains.push_back({ name, {} });
        return none;
    }
    return m_pool->read();
}

CacheListing MonitoredProcess::readCaches()
{
    CacheListing listing;
    if (!m_caches) {
        const Error error = openCaches(&listing.problem);
        if (error != Incompatible && error != Damaged)
            listing.problem.clear();
    }
    return m_caches ? m_caches->read() : listing;
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
    for (const PublishedFile *file : { &m_poolFile, &m_cacheFile, &m_latencyFile }) {
        if (file->isHeldBy(m_entry))
            return Publishing;
    }
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
            listed.statistics = process->read();
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
