// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSESSION_H
#define QPOOLSESSION_H

#include "qpoolstatisticssnapshot.h"

#include <QtCore/qdatetime.h>
#include <QtCore/qhash.h>
#include <QtCore/qstringlist.h>

QT_FORWARD_DECLARE_CLASS(QJsonObject)

namespace QPoolStatistics {

// The live objects of one class in one domain; events are counted by type.
struct ClassCount
{
    QString domain; // event, object, private, heap
    QString title;
    QString module;
    qint64 count = 0;
    qint64 bytes = 0;
};

// What charts over time show of a snapshot.
struct HistoryPoint
{
    qint64 milliseconds = 0;
    std::array<qint64, DomainCount> allocated {}; // chunks since the start, by domain
    qint64 liveBytes = 0;
    qint64 committedBytes = 0;
    qint64 backlog = 0; // chunks

    static HistoryPoint of(const Snapshot &snapshot, qint64 milliseconds);
};

// What a saved file has beside the snapshot, so that others can judge it. Each part may be missing.
struct Session
{
    QDateTime time; // of the snapshot
    QStringList command;
    QHash<qint64, QString> threadNames; // by number; in a file they are the arenas'
    std::optional<QList<ClassCount>> classes;
    qint64 uncertain = 0; // chunks that changed while classes were counted
    QString classesProblem; // why there are none, or of which other moment they are, as a clause
    QList<HistoryPoint> history; // the oldest first; times are before that of the snapshot, so not positive

    // The process's command line; empty if the system does not tell it.
    static QStringList commandOf(qint64 pid);
    // The names that the system has of the process's threads, by number; empty if it does not tell them.
    static QHash<qint64, QString> threadNamesOf(qint64 pid);

    // Adds the parts that there are to the JSON of a snapshot.
    void insertInto(QJsonObject *snapshot) const;
    // From the JSON of a snapshot, which is treated as untrusted. Empty, with \a error set to a clause, if a part
    // is damaged.
    static std::optional<Session> fromJson(const QJsonObject &snapshot, QString *error);

    // The command in one line, and the time; empty if neither is known.
    QString title() const;
};

} // namespace QPoolStatistics

#endif // QPOOLSESSION_H
