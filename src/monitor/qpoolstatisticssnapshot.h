// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSSNAPSHOT_H
#define QPOOLSTATISTICSSNAPSHOT_H

#include "qpoolcachestatistics.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

#include <array>
#include <optional>

// What programs that show, filter and save a pool's statistics have in common. Needs QtCore alone.
namespace QPoolStatistics {

enum class Domain { Event, Object, Private, Heap };
inline constexpr int DomainCount = 4;

// As in JSON and CSV: event, object, private, heap.
QString nameOf(Domain domain);

struct SizeClassStatistics
{
    int size = 0;
    qint64 allocated = 0;
    qint64 freed = 0;
    qint64 remote = 0; // freed by a thread that does not own the chunk
    qint64 live = 0;
};

struct ArenaStatistics
{
    qint64 id = 0;
    qint64 thread = 0;
    bool orphaned = false;
    qint64 adoptions = 0;
    qint64 live = 0;
    qint64 pages = 0;
    qint64 backlog = 0;
    QString threadName = {}; // the system's, from a saved session or Session::threadNamesOf(); empty if not known
};

// What the allocator reported at one moment, read from its JSON. The text
// is treated as untrusted: a program may run on a QtCore of another version.
struct Snapshot
{
    qint64 pid = 0;
    QString qtVersion;
    bool enabled = false;
    bool hasHeap = false; // whether all of the program's malloc() is the pool's
    std::array<QList<SizeClassStatistics>, DomainCount> domains;
    QList<ArenaStatistics> arenas;
    QPool::CacheListing caches; // empty unless the process publishes some
    qint64 reservedBytes = 0;
    qint64 committedBytes = 0;
    qint64 liveBytes = 0;
    std::optional<qint64> decommittedBytes; // now without memory; not in every snapshot

    const QList<SizeClassStatistics> &domain(Domain d) const { return domains[size_t(d)]; }
    qint64 allocated(Domain d) const;
    qint64 live(Domain d) const; // chunks
    qint64 liveBytesOf(Domain d) const;
    qint64 totalAllocated() const;
    qint64 totalLive() const;

    // These two are in qpoolstatisticsjson.cpp. Empty if the text is no snapshot, with \a error set to
    // a clause.
    static std::optional<Snapshot> fromJson(const QByteArray &json, QString *error);
    // Whether a text that fromJson() refuses is a snapshot of another version.
    static bool isOtherVersion(const QByteArray &json);
};

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSSNAPSHOT_H
