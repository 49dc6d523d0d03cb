// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollatencystatistics.h"
#include "qpoolprintabletext.h"
#include "qpoolstatisticsreader_p.h"

#include <QtCore/qjsondocument.h>

namespace QPoolStatistics {

namespace {

constexpr int FormatVersion = 1;
constexpr qsizetype MostThreads = 1 << 20;
constexpr qsizetype MostRows = 1 << 20;
constexpr qsizetype MostBuckets = 1024;

class Reader : public JsonReader
{
public:
    qint64 number(const QJsonObject &object, QLatin1StringView key)
    {
        return qMin(count(object, key), LargestCount);
    }

    LatencyDistribution distribution(const QJsonObject &parent, QLatin1StringView key)
    {
        const QJsonObject times = object(parent, key);
        LatencyDistribution result;
        result.count = number(times, "count"_L1);
        result.total = number(times, "total"_L1);
        result.p50 = number(times, "p50"_L1);
        result.p99 = number(times, "p99"_L1);
        result.worst = number(times, "worst"_L1);
        const QJsonArray buckets = array(times, "histogram"_L1, MostBuckets);
        result.buckets.reserve(buckets.size());
        for (const QJsonValue &value : buckets) {
            const QJsonArray pair = value.toArray();
            const qint64 least = pair.at(0).toInteger(-1);
            const qint64 count = pair.at(1).toInteger(-1);
            if (pair.size() != 2 || least < 0 || least > LargestCount || count < 0
                || (!result.buckets.isEmpty() && result.buckets.constLast().least >= least)) {
                fail(u"'histogram' of '%1' is no list of growing times and their counts"_s.arg(key));
                break;
            }
            result.buckets.append({ least, qMin(count, LargestCount) });
        }
        return result;
    }

    EventLatency event(const QJsonObject &object)
    {
        EventLatency row;
        // A program may give its classes and threads any names.
        row.className = printable(object.value("class"_L1).toString());
        row.type = printable(object.value("type"_L1).toString());
        // Of queued calls alone.
        row.signal = printable(object.value("signal"_L1).toString());
        row.slot = printable(object.value("slot"_L1).toString());
        row.number = number(object, "number"_L1);
        row.thread = number(object, "thread"_L1);
        row.delivered = number(object, "delivered"_L1);
        row.removed = number(object, "removed"_L1);
        row.receiverDied = number(object, "receiverDied"_L1);
        row.compressed = number(object, "compressed"_L1);
        row.lost = number(object, "lost"_L1);
        row.wait = distribution(object, "wait"_L1);
        row.run = distribution(object, "run"_L1);
        return row;
    }

    ThreadLatency thread(const QJsonObject &object)
    {
        ThreadLatency thread;
        thread.id = number(object, "id"_L1);
        thread.name = printable(object.value("name"_L1).toString());
        thread.ended = object.value("ended"_L1).toBool();
        thread.posted = number(object, "posted"_L1);
        thread.delivered = number(object, "delivered"_L1);
        thread.dropped = number(object, "dropped"_L1);
        // Saved sessions of earlier versions lack it.
        if (object.contains("unfinished"_L1))
            thread.unfinished = number(object, "unfinished"_L1);
        return thread;
    }
};

} // namespace

bool LatencyStatistics::isOtherVersion(const QByteArray &json)
{
    return JsonReader::isOtherVersion(json, FormatVersion);
}

std::optional<LatencyStatistics> LatencyStatistics::fromJson(const QByteArray &json, QString *error)
{
    QJsonParseError parseError;
    const QJsonDocument document = QJsonDocument::fromJson(json, &parseError);
    if (document.isObject())
        return fromJson(document.object(), error);
    *error = parseError.error == QJsonParseError::NoError
            ? u"it is not a JSON object"_s
            : u"it is not JSON: %1 at byte %2"_s.arg(parseError.errorString()).arg(parseError.offset);
    return std::nullopt;
}

std::optional<LatencyStatistics> LatencyStatistics::fromJson(const QJsonObject &root, QString *error)
{
    Reader reader;
    const qint64 version = reader.count(root, "version"_L1);
    if (reader.error.isEmpty() && version != FormatVersion)
        reader.fail(u"it has version %1 of the format, and this program reads version %2"_s.arg(version).arg(
                FormatVersion));
    LatencyStatistics result;
    result.pid = reader.number(root, "pid"_L1);
    result.enabled = root.value("enabled"_L1).toBool();
    if (result.enabled && reader.error.isEmpty()) {
        result.dropped = reader.number(root, "dropped"_L1);
        result.unfinished = reader.number(root, "unfinished"_L1);
        if (root.contains("leftOut"_L1))
            result.leftOut = reader.number(root, "leftOut"_L1);
        const QJsonArray threads = reader.array(root, "threads"_L1, MostThreads);
        for (const QJsonValue &thread : threads)
            result.threads.append(reader.thread(thread.toObject()));
        const QJsonArray events = reader.array(root, "events"_L1, MostRows);
        for (const QJsonValue &event : events)
            result.events.append(reader.event(event.toObject()));
    }
    if (!reader.error.isEmpty()) {
        *error = reader.error;
        return std::nullopt;
    }
    result.makeUnique();
    return result;
}

} // namespace QPoolStatistics
