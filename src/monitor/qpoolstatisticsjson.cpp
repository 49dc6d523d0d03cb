// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// Reads what src/corelib/kernel/qpoolsnapshotjson_p.h writes.

#include "qpoolprintabletext.h"
#include "qpoolstatisticsreader_p.h"
#include "qpoolstatisticssnapshot.h"

#include <QtCore/qjsondocument.h>

#include <utility>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

namespace {

constexpr int FormatVersion = 2;
constexpr int LargestSize = 1 << 20;
constexpr qsizetype MostClasses = 4096;
constexpr qsizetype MostArenas = 65536;
constexpr qsizetype MostCaches = 65536;

class Reader : public JsonReader
{
public:
    QList<SizeClassStatistics> classes(const QJsonObject &domain);
    QList<ArenaStatistics> arenas(const QJsonObject &root);
    QPool::CacheListing caches(const QJsonObject &root);
    QPool::CategoryStatistics category(const QJsonObject &object);
};

QList<SizeClassStatistics> Reader::classes(const QJsonObject &domain)
{
    QList<SizeClassStatistics> result;
    const QJsonArray entries = array(domain, "classes"_L1, MostClasses);
    result.reserve(entries.size());
    for (const QJsonValue &entry : entries) {
        const QJsonObject object = entry.toObject();
        SizeClassStatistics statistics;
        const qint64 size = count(object, "size"_L1);
        if (size < 1 || size > LargestSize)
            fail(u"a size class of %1 bytes is out of range"_s.arg(size));
        statistics.size = int(qBound(qint64(1), size, qint64(LargestSize)));
        statistics.allocated = count(object, "allocated"_L1);
        statistics.freed = count(object, "freed"_L1);
        statistics.remote = count(object, "remote"_L1);
        // Counters of running threads are read one after the other, so the
        // difference may be below zero for a moment. The text is valid.
        statistics.live = qMax<qint64>(0, object.value("live"_L1).toInteger());
        result.append(statistics);
    }
    sortUnique(result, &SizeClassStatistics::size, u"the size class of %1 bytes"_s);
    return result;
}

QList<ArenaStatistics> Reader::arenas(const QJsonObject &root)
{
    QList<ArenaStatistics> result;
    const QJsonArray entries = array(root, "arenas"_L1, MostArenas);
    result.reserve(entries.size());
    for (const QJsonValue &entry : entries) {
        const QJsonObject object = entry.toObject();
        ArenaStatistics statistics;
        statistics.id = count(object, "id"_L1);
        statistics.thread = count(object, "thread"_L1);
        statistics.threadName = printable(object.value("name"_L1).toString());
        statistics.orphaned = object.value("orphaned"_L1).toBool();
        statistics.adoptions = count(object, "adoptions"_L1);
        statistics.live = qMax<qint64>(0, object.value("live"_L1).toInteger());
        statistics.pages = count(object, "pages"_L1);
        statistics.backlog = qMax<qint64>(0, object.value("backlog"_L1).toInteger());
        result.append(statistics);
    }
    sortUnique(result, &ArenaStatistics::id, u"arena %1"_s);
    return result;
}

QPool::CategoryStatistics Reader::category(const QJsonObject &object)
{
    QPool::CategoryStatistics category;
    category.name = printable(object.value("name"_L1).toString()).toStdString();
    for (const auto &[name, number] : QPool::AllCacheCounts)
        category.*number = count(object, QLatin1StringView(name));
    category.stocks = shortCount(object, "stocks"_L1);
    category.missingStocks = shortCount(object, "missingStocks"_L1);
    return category;
}

// Written by processes that publish caches; earlier versions have no such member.
QPool::CacheListing Reader::caches(const QJsonObject &root)
{
    QPool::CacheListing result;
    if (!root.contains("caches"_L1))
        return result;
    result.missing = shortCount(root, "missingCategories"_L1);
    result.problem = printable(root.value("cachesProblem"_L1).toString()).toStdString();
    const QJsonArray entries = array(root, "caches"_L1, MostCaches);
    for (const QJsonValue &entry : entries) {
        const QJsonObject object = entry.toObject();
        QPool::CacheStatistics statistics;
        statistics.number = count(object, "id"_L1);
        statistics.name = printable(object.value("name"_L1).toString()).toStdString();
        statistics.objectSize = count(object, "objectSize"_L1);
        const QJsonArray categories = array(object, "categories"_L1, MostCaches);
        for (const QJsonValue &each : categories)
            statistics.categories.push_back(category(each.toObject()));
        result.caches.push_back(std::move(statistics));
    }
    sortUnique(result.caches, &QPool::CacheStatistics::number, u"object cache %1"_s);
    return result;
}

} // namespace

bool Snapshot::isOtherVersion(const QByteArray &json)
{
    return JsonReader::isOtherVersion(json, FormatVersion);
}

std::optional<Snapshot> Snapshot::fromJson(const QByteArray &json, QString *error)
{
    QJsonParseError parseError;
    const QJsonDocument document = QJsonDocument::fromJson(json, &parseError);
    if (!document.isObject()) {
        *error = parseError.error == QJsonParseError::NoError
                         ? u"the snapshot is not a JSON object"_s
                         : u"the snapshot is not JSON: %1 at byte %2"_s
                                   .arg(parseError.errorString())
                                   .arg(parseError.offset);
        return std::nullopt;
    }

    const QJsonObject root = document.object();
    Reader reader;
    const qint64 version = reader.count(root, "version"_L1);
    if (reader.error.isEmpty() && version != FormatVersion)
        reader.fail(
                u"snapshot version %1 is not known, only %2 is"_s.arg(version).arg(FormatVersion));

    Snapshot snapshot;
    snapshot.pid = reader.count(root, "pid"_L1);
    snapshot.qtVersion = printable(root.value("qt"_L1).toString());
    snapshot.enabled = root.value("enabled"_L1).toBool();
    // A disabled allocator has nothing to count.
    if (snapshot.enabled) {
        const QJsonObject domains = reader.object(root, "domains"_L1);
        snapshot.domains[0] = reader.classes(reader.object(domains, "event"_L1));
        snapshot.domains[1] = reader.classes(reader.object(domains, "object"_L1));
        snapshot.domains[2] = reader.classes(reader.object(domains, "private"_L1));
        // Written by programs whose malloc() is the pool's; earlier versions have no such member.
        snapshot.hasHeap = domains.contains("heap"_L1);
        if (snapshot.hasHeap)
            snapshot.domains[3] = reader.classes(reader.object(domains, "heap"_L1));
        snapshot.arenas = reader.arenas(root);
        snapshot.caches = reader.caches(root);
        const QJsonObject bytes = reader.object(root, "bytes"_L1);
        snapshot.reservedBytes = reader.count(bytes, "reserved"_L1);
        snapshot.committedBytes = reader.count(bytes, "committed"_L1);
        snapshot.liveBytes = reader.count(bytes, "live"_L1);
        if (bytes.contains("decommitted"_L1))
            snapshot.decommittedBytes = reader.count(bytes, "decommitted"_L1);
    }

    if (!reader.error.isEmpty()) {
        *error = reader.error;
        return std::nullopt;
    }
    return snapshot;
}

} // namespace QPoolStatistics
