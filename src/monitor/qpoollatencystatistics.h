// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLATENCYSTATISTICS_H
#define QPOOLLATENCYSTATISTICS_H

#include <QtCore/qbytearray.h>
#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

#include <optional>

QT_FORWARD_DECLARE_CLASS(QJsonObject)

// How long posted events wait and how long their handlers run, as qt_pool_allocator_latency() reports it.
// Times are in nanoseconds.
namespace QPoolStatistics {

// JSON has no larger whole numbers; the sum of two of them does not overflow.
inline constexpr qint64 LargestCount = (qint64(1) << 53) - 1;

// A histogram of times. A bucket is an eighth of a power of two wide.
struct LatencyDistribution
{
    struct Bucket
    {
        qint64 least = 0; // the shortest time in it
        qint64 count = 0;

        qint64 end() const; // of the bucket, which does not contain it
        bool operator==(const Bucket &other) const { return least == other.least && count == other.count; }
    };

    qint64 count = 0;
    qint64 total = 0;
    qint64 p50 = 0; // upper bounds, at most an eighth too large
    qint64 p99 = 0;
    qint64 worst = 0;
    QList<Bucket> buckets; // that are not empty, the shortest times first

    void add(const LatencyDistribution &other);
    // What was added since \a before. Its worst is exact only if it is the worst of all.
    LatencyDistribution since(const LatencyDistribution &before) const;

private:
    void findPercentiles();
};

// Events of one type to receivers of one class, by the thread that delivered or removed them; queued calls by signal
// and slot, too.
struct EventLatency
{
    QString className;
    QString type; // its name, or a number
    QString signal; // with the sender's class; empty if there is none, or it is not known
    QString slot; // with its class, a functor, or the place of its code; empty if not known
    qint64 number = 0; // of the type
    qint64 thread = 0;
    qint64 delivered = 0;
    qint64 removed = 0;
    qint64 receiverDied = 0;
    qint64 compressed = 0;
    qint64 lost = 0;
    LatencyDistribution wait;
    LatencyDistribution run;

    // What the receiver got: a type, or of a queued call the slot and the signal.
    QString title() const;
    qint64 notDelivered() const;
    bool isSameKind(const EventLatency &other) const;
};

// Both histograms of a row by powers of two, without gaps.
struct LatencyBar
{
    qint64 least = 0; // the shortest time in it
    qint64 end = 0;
    qint64 waits = 0;
    qint64 runs = 0;
};
QList<LatencyBar> barsOf(const EventLatency &row);

struct ThreadLatency
{
    qint64 id = 0;
    QString name;
    bool ended = false;
    qint64 posted = 0;
    qint64 delivered = 0;
    qint64 dropped = 0; // records
    qint64 unfinished = 0; // events that wait in its list, or that it handles
};

struct LatencyStatistics
{
    qint64 pid = 0;
    bool enabled = false; // whether the process records; if not, all else is empty
    qint64 dropped = 0; // records
    qint64 unfinished = 0; // events that wait or are being handled
    qint64 leftOut = 0; // rows that were added up, because there are too many
    QList<ThreadLatency> threads; // by number; one for each
    QList<EventLatency> events; // by class, type, thread, signal and slot; one for each kind

    // The name of a thread, or its number.
    QString nameOf(qint64 thread) const;
    // The sum of all rows.
    EventLatency sum() const;
    // The thread with the most unfinished events; null if none is known to have any.
    const ThreadLatency *longestQueue() const;
    // Adds up rows of the same kind, and threads with the same number, which the system may have used again.
    void makeUnique();

    // Empty if the text is no such statistics, with \a error set to a clause. The text is treated as
    // untrusted.
    static std::optional<LatencyStatistics> fromJson(const QByteArray &json, QString *error);
    static std::optional<LatencyStatistics> fromJson(const QJsonObject &json, QString *error);
    // Whether a text that fromJson() refuses has another version.
    static bool isOtherVersion(const QByteArray &json);
};

// The order of rows: the largest first.
struct LatencyOrder
{
    enum Part { Wait, Run };
    enum Measure { P99, Worst, Total };

    Part part = Wait;
    Measure measure = P99;

    const LatencyDistribution &partOf(const EventLatency &row) const { return part == Wait ? row.wait : row.run; }
    qint64 valueOf(const EventLatency &row) const;
    void sort(QList<EventLatency> *rows) const;
    bool operator==(const LatencyOrder &other) const { return part == other.part && measure == other.measure; }
};

// Keeps the rows whose class, type, signal or slot, or the name or number of whose thread, contains \a text, in
// upper or lower case.
QList<EventLatency> filtered(const LatencyStatistics &statistics, const QString &text);

} // namespace QPoolStatistics

#endif // QPOOLLATENCYSTATISTICS_H
