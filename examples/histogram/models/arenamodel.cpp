// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "arenamodel.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 JustNow = 2500; // milliseconds
constexpr qsizetype TrailLength = 48;

} // namespace

int ArenaModel::orphanedCount() const
{
    return int(std::count_if(m_arenas.cbegin(), m_arenas.cend(),
                             [](const ArenaStatistics &arena) { return arena.orphaned; }));
}

qint64 ArenaModel::adoptions() const
{
    return sum(m_arenas, &ArenaStatistics::adoptions);
}

qint64 ArenaModel::backlog() const
{
    return sum(m_arenas, &ArenaStatistics::backlog);
}

qint64 ArenaModel::pages() const
{
    return sum(m_arenas, &ArenaStatistics::pages);
}

void ArenaModel::track(const ArenaStatistics &arena, bool known, QList<ArenaEvent> *events)
{
    const bool isNew = !m_tracks.contains(arena.id);
    Track &track = m_tracks[arena.id];
    const auto report = [&](ArenaEvent::Kind kind, const QString &just, qint64 times) {
        if (!known)
            return;
        track.just = just;
        track.justAt = m_now;
        events->append({ kind, arena.id, arena.thread, times, arena.live });
    };
    if (isNew) {
        if (!arena.orphaned)
            report(ArenaEvent::Created, u"created"_s, 1);
    } else {
        const qint64 adopted = arena.adoptions - track.last.adoptions;
        if (adopted > 0)
            report(ArenaEvent::Adopted, u"adopted"_s, adopted);
        // After each adoption, except perhaps the last one, the arena was orphaned again.
        const qint64 orphaned = qMax<qint64>(0, adopted) + arena.orphaned - track.last.orphaned;
        if (orphaned > 0)
            report(ArenaEvent::Orphaned, arena.orphaned ? u"orphaned"_s : u"adopted"_s, orphaned);
    }
    track.last = arena;
    track.trail.append(qreal(arena.live));
    if (track.trail.size() > TrailLength)
        track.trail.removeFirst();
}

QList<ArenaEvent> ArenaModel::setArenas(const QList<ArenaStatistics> &arenas, qint64 pid,
                                        qint64 milliseconds)
{
    QList<ArenaEvent> events;
    const bool known = !m_tracks.isEmpty(); // otherwise every arena would appear as new
    m_pid = pid;
    m_now = milliseconds;
    m_arenas = arenas;
    for (const ArenaStatistics &arena : arenas)
        track(arena, known, &events);
    showRows();
    return events;
}

void ArenaModel::setFilter(const QPoolStatistics::Filter &filter)
{
    m_filter = filter;
    showRows();
}

void ArenaModel::clear()
{
    m_arenas.clear();
    m_tracks.clear();
    showRows();
}

void ArenaModel::showRows()
{
    QList<ArenaStatistics> wanted;
    for (const ArenaStatistics &arena : std::as_const(m_arenas)) {
        if (m_filter.matches(arena, m_pid, QPoolStatistics::Filter::NumbersAreThreads))
            wanted.append(arena);
    }
    const auto before = [](const auto &a, const auto &b) { return a.id < b.id; };
    replaceRows(&m_rows, wanted, before, &ArenaStatistics::id);
    Q_EMIT changed();
}

QVariant ArenaModel::value(int row, int role) const
{
    const ArenaStatistics &arena = m_rows.at(row);
    switch (role) {
    case IdRole:
        return arena.id;
    case ThreadRole:
        return arena.thread;
    case ThreadNameRole:
        return arena.threadName;
    case MainThreadRole:
        return arena.thread == m_pid && !arena.orphaned; // IDs are equal on Linux only
    case OrphanedRole:
        return arena.orphaned;
    case AdoptionsRole:
        return arena.adoptions;
    case LiveRole:
        return arena.live;
    case PagesRole:
        return arena.pages;
    case BacklogRole:
        return arena.backlog;
    case JustRole: {
        const auto track = m_tracks.constFind(arena.id);
        const bool fresh = track != m_tracks.cend() && m_now - track->justAt < JustNow;
        return fresh ? track->just : QString();
    }
    case TrailRole:
        return m_tracks.value(arena.id).trail;
    default:
        return {};
    }
}

QHash<int, QByteArray> ArenaModel::roleNames() const
{
    return { { IdRole, "arenaId" },
             { ThreadRole, "thread" },
             { ThreadNameRole, "threadName" },
             { MainThreadRole, "mainThread" },
             { OrphanedRole, "orphaned" },
             { AdoptionsRole, "adoptions" },
             { LiveRole, "live" },
             { PagesRole, "pages" },
             { BacklogRole, "backlog" },
             { JustRole, "just" },
             { TrailRole, "trail" } };
}
