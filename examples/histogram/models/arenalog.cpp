// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "arenalog.h"

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype MostEntries = 200;
constexpr qint64 CountsAsSame = 5000; // milliseconds after the first change of the entry
constexpr qsizetype LookBack = 16; // entries

QString kindName(ArenaEvent::Kind kind)
{
    switch (kind) {
    case ArenaEvent::Orphaned:
        return u"orphaned"_s;
    case ArenaEvent::Adopted:
        return u"adopted"_s;
    case ArenaEvent::Created:
        break;
    }
    return u"created"_s;
}

} // namespace

void ArenaLog::add(const QList<ArenaEvent> &events, qint64 milliseconds, QTime time)
{
    for (const ArenaEvent &event : events)
        add(event, milliseconds, time);
}

void ArenaLog::add(const ArenaEvent &event, qint64 milliseconds, QTime time)
{
    for (int row = 0; row < qMin(LookBack, m_entries.size()); ++row) {
        Entry &entry = m_entries[row];
        if (entry.event.arena == event.arena && entry.event.kind == event.kind
            && milliseconds - entry.milliseconds < CountsAsSame) {
            const qint64 times = entry.event.times + event.times;
            entry.event = event;
            entry.event.times = times;
            entry.time = time;
            Q_EMIT dataChanged(index(row), index(row));
            return;
        }
    }
    beginInsertRows({}, 0, 0);
    m_entries.prepend({ event, milliseconds, time });
    endInsertRows();
    if (m_entries.size() > MostEntries) {
        beginRemoveRows({}, int(MostEntries), int(m_entries.size()) - 1);
        m_entries.resize(MostEntries);
        endRemoveRows();
    }
    Q_EMIT countChanged();
}

void ArenaLog::clear()
{
    if (m_entries.isEmpty())
        return;
    beginResetModel();
    m_entries.clear();
    endResetModel();
    Q_EMIT countChanged();
}

QVariant ArenaLog::value(int row, int role) const
{
    const Entry &entry = m_entries.at(row);
    const ArenaEvent &event = entry.event;
    switch (role) {
    case TimeRole:
        return entry.time.toString(u"HH:mm:ss"_s);
    case KindRole:
        return kindName(event.kind);
    case TextRole:
        switch (event.kind) {
        case ArenaEvent::Created:
            return tr("Arena %1 created by thread %2").arg(event.arena).arg(event.thread);
        case ArenaEvent::Orphaned:
            return event.times > 1
                           ? tr("Arena %1 orphaned %2 times").arg(event.arena).arg(event.times)
                           : tr("Arena %1 orphaned, %2 live").arg(event.arena).arg(event.live);
        case ArenaEvent::Adopted:
            return event.times > 1
                           ? tr("Arena %1 adopted %2 times").arg(event.arena).arg(event.times)
                           : tr("Arena %1 adopted by thread %2").arg(event.arena).arg(event.thread);
        }
        return {};
    default:
        return {};
    }
}

QHash<int, QByteArray> ArenaLog::roleNames() const
{
    return { { TimeRole, "time" }, { KindRole, "kind" }, { TextRole, "text" } };
}
