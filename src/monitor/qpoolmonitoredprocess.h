// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMONITOREDPROCESS_H
#define QPOOLMONITOREDPROCESS_H

#include "qpoolcacheview.h"
#include "qpoollatencyview.h"
#include "qpoolprocentry.h"
#include "qpoolpublishedfile.h"
#include "qpoolsegmentview.h"

#include <memory>

namespace QPool {

//! What a process publishes of its event latency.
struct PublishedLatency
{
    enum State {
        Recorded,
        NotRecorded, //!< it was not asked to, or its QtCore cannot
        Incompatible, //!< it publishes in another version of the format
        Damaged //!< what it publishes contradicts itself
    };

    State state = NotRecorded;
    std::string problem; //!< unless Recorded: for the user, as a sentence without a full stop
    LatencyText text; //!< the last one; without JSON if no event was recorded yet
};

/*!
    \class QPool::MonitoredProcess
    \brief Another process, which publishes its pool's statistics.

    A process publishes if it is started with QT_POOL_ALLOCATOR=monitor: its pool, if it has QtCore's or
    the malloc front's, its object caches, and its event latency. Each may be missing. Reading neither stops nor changes
    the process. An object stands for one process: when the process has ended, another one with the same
    number is never mistaken for it, and its last statistics can still be read.

    The system refuses readers of other users, except the superuser. Linux only. Any thread may make the
    calls; for one object, only one thread at a time.
*/
class MonitoredProcess
{
public:
    enum Error {
        NoError,
        NoProcess, //!< there is none of this number
        NotPermitted, //!< it belongs to another user, or is protected
        NotPublishing, //!< it was not asked to, or has allocated nothing yet
        Incompatible, //!< it publishes in another version of the format
        Damaged //!< what it publishes contradicts itself
    };

    enum State {
        Publishing,
        Silent, //!< lives, but has let go of what it published: another program, after exec()
        Gone //!< has ended
    };

    /*!
        Opens the published statistics of the process \a pid. Null if that fails: then \a error is the
        reason, and \a message describes it to the user, as a sentence without a full stop.
    */
    static std::unique_ptr<MonitoredProcess> attach(std::int64_t pid, Error *error,
                                                    std::string *message);

    ~MonitoredProcess();
    MonitoredProcess(const MonitoredProcess &) = delete;
    MonitoredProcess &operator=(const MonitoredProcess &) = delete;

    std::int64_t pid() const noexcept { return m_pid; }
    //! The name of its program's file, with unprintable characters replaced.
    const std::string &name() const noexcept { return m_name; }
    //! When it began to publish, in milliseconds since 1970, UTC.
    std::uint64_t since() const noexcept;

    //! The current state. Call this after read(): what was read is valid if the process publishes.
    State state() const;

    //! Its current statistics, or its last ones. All zero if it publishes no pool.
    ProcessStatistics read();

    //! Its current object caches, also if the process made its first cache after open().
    CacheListing readCaches();

    //! Its current event latency, or the last one, also if the process made its segment after open().
    PublishedLatency readLatency();

private:
    MonitoredProcess(std::int64_t pid, ProcEntry entry);
    static Error kindOf(SegmentView::Error error);
    Error open(std::string *message);
    Error openPool(std::string *message);
    // Opens a segment beside the pool's, whose name begins with \a prefix. The message is a clause.
    template <class View>
    Error openPart(const char *prefix, PublishedFile &file, std::optional<View> &view,
                   std::string *message);
    Error openCaches(std::string *message);
    Error openLatency(std::string *message);

    std::int64_t m_pid;
    ProcEntry m_entry;
    std::string m_name;
    PublishedFile m_poolFile;
    PublishedFile m_cacheFile;
    PublishedFile m_latencyFile;
    std::optional<SegmentView> m_pool; // at least one of these three is set
    std::optional<CacheView> m_caches;
    std::optional<LatencyView> m_latency;
    LatencyText m_latencyText;
};

//! A process that publishes, as a list shows it.
struct ListedProcess
{
    std::int64_t pid = 0;
    std::string name;
    std::uint64_t since = 0; //!< milliseconds since 1970, UTC; 0 if it can't be read
    //! Incompatible and Damaged are listed too, without statistics.
    MonitoredProcess::Error error = MonitoredProcess::NoError;
    std::string message;
    ProcessStatistics statistics;
};

//! The publishing processes that the caller may read, in order of their numbers.
std::vector<ListedProcess> listProcesses();

} // namespace QPool

#endif // QPOOLMONITOREDPROCESS_H
