// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMONITOREDPROCESS_H
#define QPOOLMONITOREDPROCESS_H

#include "qpoolcacheview.h"
#include "qpoolprocentry.h"
#include "qpoolpublishedfile.h"
#include "qpoolsegmentview.h"

#include <memory>

namespace QPool {

/*!
    \class QPool::MonitoredProcess
    \brief A process that publishes its pool's statistics, seen from another.

    A process publishes when it is started with QT_POOL_ALLOCATOR=monitor: its pool if it has QtCore's or
    the malloc front's, and its object caches, which are its own, and may be all that there is. Reading it neither
    stops nor changes it. One that is followed stays the same: when it ends it is gone, and
    another with its number is never taken for it; the statistics of its last moment can still be
    read.

    A reader of another user than the process's is refused by the system, unless it is the
    superuser's. Linux only. All calls may be made by any thread, for one object by one at a
    time.
*/
class MonitoredProcess
{
public:
    enum Error {
        NoError,
        NoProcess, //!< there is none of this number
        NotPermitted, //!< it is another user's, or protected
        NotPublishing, //!< it was not asked to, or has allocated nothing yet
        Incompatible, //!< it publishes in a form of another version
        Damaged //!< what it publishes contradicts itself
    };

    enum State {
        Publishing,
        Silent, //!< lives, but has let go of what it published: another program, after exec()
        Gone //!< has ended
    };

    /*!
        Opens what the process \a pid publishes. Null if that can't be had; \a error says why,
        and \a message says it in a sentence without a full stop, for people.
    */
    static std::unique_ptr<MonitoredProcess> attach(std::int64_t pid, Error *error,
                                                    std::string *message);

    ~MonitoredProcess();
    MonitoredProcess(const MonitoredProcess &) = delete;
    MonitoredProcess &operator=(const MonitoredProcess &) = delete;

    std::int64_t pid() const noexcept { return m_pid; }
    //! The name of its program's file; what is not printable in it is replaced.
    const std::string &name() const noexcept { return m_name; }
    //! When it began to publish, in milliseconds since 1970, UTC.
    std::uint64_t since() const noexcept;

    //! What has become of it. To be asked after read(): what was read is true if it publishes.
    State state() const;

    //! Its statistics of this moment, or of its last one. None of anything, if it publishes no pool.
    ProcessStatistics read();

    //! Its object caches, of the same moment. One that makes its first cache later has them then.
    CacheListing readCaches();

private:
    MonitoredProcess(std::int64_t pid, ProcEntry entry);
    static Error kindOf(SegmentView::Error error);
    Error open(std::string *message);
    Error openPool(std::string *message);
    Error openCaches(std::string *message); // the message is half a sentence

    std::int64_t m_pid;
    ProcEntry m_entry;
    std::string m_name;
    PublishedFile m_poolFile;
    PublishedFile m_cacheFile;
    std::optional<SegmentView> m_pool; // one of them at least
    std::optional<CacheView> m_caches;
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

//! The processes that publish and that the caller may look at, by number.
std::vector<ListedProcess> listProcesses();

} // namespace QPool

#endif // QPOOLMONITOREDPROCESS_H
