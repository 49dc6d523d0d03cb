// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SAMPLELATENCY_H
#define SAMPLELATENCY_H

#include <QtCore/qbytearray.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qlist.h>

#include <utility>

// The event latency in the programs of the tests, as qt_pool_allocator_latency() writes it.
namespace SampleLatency {

// Pairs of a bucket's shortest time and a count.
inline QJsonObject times(qint64 p50, qint64 p99, qint64 worst, const QList<std::pair<qint64, qint64>> &buckets)
{
    QJsonArray histogram;
    qint64 count = 0;
    qint64 total = 0;
    for (const auto &[least, number] : buckets) {
        histogram.append(QJsonArray { least, number });
        count += number;
        total += least * number;
    }
    return { { "count", count }, { "total", total }, { "p50", p50 }, { "p99", p99 },
             { "worst", worst }, { "histogram", histogram } };
}

inline QJsonObject row(const char *className, const char *type, int number, qint64 thread, qint64 delivered,
                       const QJsonObject &wait, const QJsonObject &run, qint64 removed = 0)
{
    return { { "class", className }, { "type", type }, { "number", number }, { "thread", thread },
             { "delivered", delivered }, { "removed", removed }, { "receiverDied", 0 },
             { "compressed", removed / 2 }, { "lost", 0 }, { "wait", wait }, { "run", run } };
}

inline QJsonObject thread(qint64 id, const char *name, qint64 posted, qint64 delivered, bool ended = false,
                          qint64 unfinished = 0)
{
    return { { "id", id }, { "name", name }, { "ended", ended }, { "posted", posted },
             { "delivered", delivered }, { "dropped", 0 }, { "unfinished", unfinished } };
}

inline QJsonObject none(bool enabled = true)
{
    return { { "version", 1 }, { "pid", 4242 }, { "qt", "6.4.2" }, { "enabled", enabled },
             { "clock", "counter" }, { "dropped", 0 }, { "unfinished", 0 },
             { "threads", QJsonArray {} }, { "events", QJsonArray {} } };
}

// Four rows on two threads. By p99 of the wait: Window, Worker, QTimer, Model; by the longest run: Worker.
inline QJsonObject sample()
{
    QJsonObject result = none();
    result["unfinished"] = 3;
    result["threads"] = QJsonArray { thread(4242, "program", 1250, 1210), thread(4243, "worker", 60, 100, false, 3) };
    result["events"] = QJsonArray {
        row("Window", "UpdateRequest", 77, 4242, 200,
            times(2'000'000, 80'000'000, 95'000'000, { { 1'835'008, 190 }, { 75'497'472, 10 } }),
            times(300'000, 900'000, 950'000, { { 262'144, 180 }, { 851'968, 20 } }), 8),
        row("Model", "MetaCall", 43, 4242, 1000,
            times(900, 12'000, 15'000, { { 832, 900 }, { 11'264, 100 } }),
            times(500, 2'000, 2'500, { { 480, 900 }, { 1'920, 100 } })),
        row("Worker", "MetaCall", 43, 4243, 100,
            times(40'000, 700'000, 750'000, { { 36'864, 95 }, { 655'360, 5 } }),
            times(3'000'000, 210'000'000, 220'000'000, { { 2'883'584, 90 }, { 201'326'592, 10 } })),
        row("QTimer", "User+7", 1007, 4242, 10,
            times(20'000, 30'000, 31'000, { { 18'432, 9 }, { 28'672, 1 } }),
            times(8'000, 9'000, 9'100, { { 7'680, 9 }, { 8'192, 1 } })) };
    return result;
}

inline QByteArray text(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

// The sample after \a count more events to the class of row \a index, which waited for \a least
// nanoseconds, the shortest time of a bucket.
inline QJsonObject later(QJsonObject from, int index, qint64 least, qint64 count)
{
    QJsonArray events = from["events"].toArray();
    QJsonObject changed = events.at(index).toObject();
    QJsonObject wait = changed["wait"].toObject();
    QList<std::pair<qint64, qint64>> buckets;
    bool found = false;
    for (const auto &value : wait["histogram"].toArray()) {
        std::pair<qint64, qint64> bucket(value.toArray().at(0).toInteger(), value.toArray().at(1).toInteger());
        if (!found && bucket.first >= least) {
            found = true;
            if (bucket.first == least)
                bucket.second += count;
            else
                buckets.append({ least, count });
        }
        buckets.append(bucket);
    }
    if (!found)
        buckets.append({ least, count });
    changed["delivered"] = changed["delivered"].toInteger() + count;
    changed["wait"] = times(wait["p50"].toInteger(), wait["p99"].toInteger(),
                            qMax(wait["worst"].toInteger(), least), buckets);
    events.replace(index, changed);
    from["events"] = events;
    return from;
}

} // namespace SampleLatency

#endif // SAMPLELATENCY_H
