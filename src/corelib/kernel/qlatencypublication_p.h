// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYPUBLICATION_P_H
#define QLATENCYPUBLICATION_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "qlatencysegment_p.h"

#include "os/qpoolsharedmemory.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qglobal.h>

#include <chrono>
#include <memory>

QT_BEGIN_NAMESPACE

namespace QEventLatency {

class QPoolLatencyCollector;

// The statistics as JSON; \a collector is null if nothing is recorded. Of more than \a most rows, or more
// than \a most threads, the others are added up. Called from within collect().
QByteArray latencyJson(const QPoolLatencyCollector *collector, std::size_t most);

/*
    Shows the statistics to readers in other processes, about once a second, if the environment requests both
    that they are recorded and that the process is monitored. It is the collector's thread that does so;
    events cost nothing more. A child of fork() publishes nothing.

    Used by one thread at a time.
*/
class QPoolLatencyPublication
{
public:
    // Null if not requested, and if the system refuses the memory; a line on stderr then says why.
    static std::unique_ptr<QPoolLatencyPublication> fromEnvironment();

    // Publishes the statistics if it is time for that. Returns whether it did. Called from within collect().
    bool update(const QPoolLatencyCollector &collector);

    // For a child of fork(), in which the other members may be in any state.
    void abandon() noexcept { m_memory.inChild(); }

private:
    using Clock = std::chrono::steady_clock;

    QPoolLatencyPublication() = default;

    // Neither changes once the collector's thread runs, but for the extent of the usable memory.
    QPool::SharedMemory m_memory;
    QPool::QPoolLatencySegmentWriter m_writer;
    std::size_t m_most = 1000; // rows and threads that are published
    Clock::time_point m_due; // the time of the next text
};

} // namespace QEventLatency

QT_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYPUBLICATION_P_H
