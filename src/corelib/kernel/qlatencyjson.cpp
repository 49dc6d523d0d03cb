// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qeventlatency_p.h"
#include "qlatencycollector_p.h"
#include "qlatencytrace_p.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

#include <cstring>

QT_USE_NAMESPACE

using namespace QEventLatency;

namespace {

// Raised when a reader of an older format would misread a newer one.
constexpr int FormatVersion = 1;

qint64 number(quint64 value)
{
    return qint64(value);
}

QJsonObject toJson(const QPool::LatencyHistogram &histogram)
{
    QJsonArray buckets;
    for (unsigned bucket = 0; bucket < histogram.Buckets; ++bucket) {
        if (const quint64 count = histogram.countIn(bucket))
            buckets.append(QJsonArray { number(histogram.least(bucket)), number(count) });
    }
    return {
        { QLatin1String("count"), number(histogram.count()) },
        { QLatin1String("total"), number(histogram.total()) },
        { QLatin1String("p50"), number(histogram.percentile(50)) },
        { QLatin1String("p99"), number(histogram.percentile(99)) },
        { QLatin1String("worst"), number(histogram.worst()) },
        { QLatin1String("histogram"), buckets },
    };
}

QJsonObject toJson(const QPoolThreadLatency &thread)
{
    return {
        { QLatin1String("id"), number(thread.id) },
        { QLatin1String("name"), QString::fromStdString(thread.name) },
        { QLatin1String("ended"), thread.ended },
        { QLatin1String("posted"), number(thread.posted) },
        { QLatin1String("delivered"), number(thread.delivered) },
        { QLatin1String("dropped"), number(thread.dropped) },
    };
}

// Events that were not delivered may have been counted before their class's name was known.
struct NamedKey
{
    std::string className;
    quint32 type;
    unsigned thread;

    bool operator<(const NamedKey &other) const
    {
        return std::tie(className, type, thread)
                < std::tie(other.className, other.type, other.thread);
    }
};

std::map<NamedKey, QPoolEventLatency> byName(const QPoolLatencyCollector &collector)
{
    std::map<NamedKey, QPoolEventLatency> result;
    for (const auto &[key, latency] : collector.events())
        result[{ QPoolClassNames::instance().name(key.classId), key.type, key.thread }].add(
                *latency);
    return result;
}

QJsonObject toJson(const NamedKey &key, const QPoolEventLatency &latency, quint64 thread)
{
    return {
        { QLatin1String("class"), QString::fromStdString(key.className) },
        { QLatin1String("type"), QString::fromStdString(nameOfEventType(key.type)) },
        { QLatin1String("number"), number(key.type) },
        { QLatin1String("thread"), number(thread) },
        { QLatin1String("delivered"), number(latency.delivered) },
        { QLatin1String("removed"), number(latency.removed) },
        { QLatin1String("receiverDied"), number(latency.receiverDied) },
        { QLatin1String("compressed"), number(latency.compressed) },
        { QLatin1String("lost"), number(latency.lost) },
        { QLatin1String("wait"), toJson(latency.wait) },
        { QLatin1String("run"), toJson(latency.run) },
    };
}

void describe(QJsonObject &result, const QPoolLatencyCollector &collector)
{
    QJsonArray threads;
    for (const QPoolThreadLatency &thread : collector.threads())
        threads.append(toJson(thread));
    QJsonArray events;
    for (const auto &[key, latency] : byName(collector))
        events.append(toJson(key, latency, collector.threads()[key.thread].id));
    result.insert(QLatin1String("clock"), QLatin1String(QPoolLatencyCollector::clockName()));
    result.insert(QLatin1String("dropped"), number(collector.dropped()));
    result.insert(QLatin1String("unfinished"), number(collector.unfinished()));
    result.insert(QLatin1String("threads"), threads);
    result.insert(QLatin1String("events"), events);
}

} // namespace

/*!
    Writes how long posted events waited, and how long their handlers ran, as one line of JSON in
    UTF-8 to \a buffer, and returns its length in bytes without the terminating null byte. If the length is
    not less than \a size, nothing was written, and a larger buffer is needed: add some room, because the
    statistics grow. \a buffer may be null if \a size is 0.

    Times are in nanoseconds. The statistics contain the events of all threads that ended before the call;
    an event whose handler runs, the caller's own included, counts as unfinished. If the process was not
    started with the word \c latency in QT_POOL_ALLOCATOR, \c enabled is false and nothing is recorded.

    Any thread may call it, also from within a handler; it takes a lock that no thread takes to post
    or to deliver. doc/latency.md explains the members.
*/
std::size_t qt_pool_allocator_latency(char *buffer, std::size_t size)
{
    QPoolLatencyCollector *collector = QPoolLatencyCollector::instance();
    QJsonObject object {
        { QLatin1String("version"), FormatVersion },
        { QLatin1String("pid"), qint64(QCoreApplication::applicationPid()) },
        { QLatin1String("qt"), QLatin1String(qVersion()) },
        { QLatin1String("enabled"), collector != nullptr },
    };
    if (collector)
        collector->collect([&] { describe(object, *collector); });
    const QByteArray json = QJsonDocument(object).toJson(QJsonDocument::Compact);
    const std::size_t length = std::size_t(json.size());
    if (length < size)
        std::memcpy(buffer, json.constData(), length + 1);
    return length;
}
