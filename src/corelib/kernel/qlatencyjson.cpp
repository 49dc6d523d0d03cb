// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qeventlatency_p.h"
#include "qlatencycollector_p.h"
#include "qlatencypublication_p.h"
#include "qlatencytrace_p.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

#include <algorithm>
#include <cstring>
#include <limits>

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

QJsonObject toJson(const QPoolThreadLatency &thread, quint64 unfinished)
{
    return {
        { QLatin1String("id"), number(thread.id) },
        { QLatin1String("name"), QString::fromStdString(thread.name) },
        { QLatin1String("ended"), thread.ended },
        { QLatin1String("posted"), number(thread.posted) },
        { QLatin1String("delivered"), number(thread.delivered) },
        { QLatin1String("dropped"), number(thread.dropped) },
        { QLatin1String("unfinished"), number(unfinished) },
    };
}

// Events that were not delivered may have been counted before their class's name was known.
struct NamedKey
{
    std::string className;
    quint32 type;
    unsigned thread;
    std::string signal; // empty if there is none
    std::string slot;

    auto asTuple() const { return std::tie(className, type, thread, signal, slot); }
    bool operator<(const NamedKey &other) const { return asTuple() < other.asTuple(); }
};

std::map<NamedKey, QPoolEventLatency> byName(const QPoolLatencyCollector &collector)
{
    const QPoolClassNames &names = QPoolClassNames::instance();
    const auto name = [&](quint32 id) { return id != 0 ? names.name(id) : std::string(); };
    std::map<NamedKey, QPoolEventLatency> result;
    for (const auto &[key, latency] : collector.events()) {
        result[{ names.name(key.classId), key.type, key.thread, name(key.signal), name(key.slot) }].add(
                *latency);
    }
    return result;
}

QJsonObject toJson(const NamedKey &key, const QPoolEventLatency &latency, quint64 thread)
{
    QJsonObject row {
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
    if (!key.signal.empty())
        row.insert(QLatin1String("signal"), QString::fromStdString(key.signal));
    if (!key.slot.empty())
        row.insert(QLatin1String("slot"), QString::fromStdString(key.slot));
    return row;
}

using Row = std::pair<const NamedKey, QPoolEventLatency>;

// What is left out of a published text, as sums: a row for each thread that is not left out, and a thread
// that stands for all others, with the number 0.
class Shortened
{
public:
    Shortened(const QPoolLatencyCollector &collector, std::size_t most)
        : m_threads(collector.threads()), m_unfinished(collector.unfinishedByThread()),
          m_isShown(m_threads.size())
    {
        std::vector<unsigned> order;
        for (unsigned i = 0; i < m_threads.size(); ++i) {
            if (!m_threads[i].folded && i != collector.others())
                order.push_back(i);
        }
        // Where others are left out, too, they are one with these.
        if (collector.others() < m_threads.size())
            m_isShown[collector.others()] = order.size() <= most;
        // Running threads, then those that ended last.
        std::sort(order.begin(), order.end(), [this](unsigned a, unsigned b) {
            return std::make_pair(m_threads[a].ended, b) < std::make_pair(m_threads[b].ended, a);
        });
        for (std::size_t i = 0; i < (std::min)(most, order.size()); ++i)
            m_isShown[order[i]] = true;
    }

    QJsonArray threads() const
    {
        QJsonArray result;
        QPoolThreadLatency others = QPoolThreadLatency::ofOthers();
        quint64 unfinished = 0;
        bool areOthers = false;
        for (std::size_t i = 0; i < m_threads.size(); ++i) {
            const QPoolThreadLatency &thread = m_threads[i];
            if (thread.folded)
                continue;
            if (m_isShown[i]) {
                result.append(toJson(thread, m_unfinished[i]));
                continue;
            }
            areOthers = true;
            others.add(thread);
            unfinished += m_unfinished[i];
        }
        if (areOthers)
            result.append(toJson(others, unfinished));
        return result;
    }

    bool isShown(const Row &row) const { return m_isShown[row.first.thread]; }
    quint64 idOf(unsigned thread) const { return m_isShown[thread] ? m_threads[thread].id : 0; }

private:
    const std::vector<QPoolThreadLatency> &m_threads;
    const std::vector<quint64> m_unfinished;
    std::vector<bool> m_isShown;
};

void describe(QJsonObject &result, const QPoolLatencyCollector &collector, std::size_t most)
{
    const std::map<NamedKey, QPoolEventLatency> all = byName(collector);
    const Shortened shortened(collector, most);
    std::vector<const Row *> rows;
    for (const Row &row : all)
        rows.push_back(&row);
    if (rows.size() > most) {
        std::stable_sort(rows.begin(), rows.end(), [](const Row *a, const Row *b) {
            return (std::max)(a->second.wait.worst(), a->second.run.worst())
                    > (std::max)(b->second.wait.worst(), b->second.run.worst());
        });
    }

    QJsonArray events;
    std::map<quint64, QPoolEventLatency> others; // by thread
    qint64 leftOut = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto &[key, latency] = *rows[i];
        if (i < most && shortened.isShown(*rows[i])) {
            events.append(toJson(key, latency, collector.threads()[key.thread].id));
        } else {
            others[shortened.idOf(key.thread)].add(latency);
            ++leftOut;
        }
    }
    for (const auto &[thread, latency] : others) {
        QJsonObject row = toJson(NamedKey { "(other classes)", 0, 0, {}, {} }, latency, thread);
        row.insert(QLatin1String("type"), QLatin1String("(all)"));
        events.append(row);
    }
    result.insert(QLatin1String("clock"), QLatin1String(QPoolLatencyCollector::clockName()));
    result.insert(QLatin1String("dropped"), number(collector.dropped()));
    result.insert(QLatin1String("unfinished"), number(collector.unfinished()));
    if (collector.isTraced())
        result.insert(QLatin1String("untraced"), number(collector.untraced()));
    result.insert(QLatin1String("threads"), shortened.threads());
    result.insert(QLatin1String("events"), events);
    if (leftOut > 0)
        result.insert(QLatin1String("leftOut"), leftOut);
}

} // namespace

QByteArray QEventLatency::latencyJson(const QPoolLatencyCollector *collector, std::size_t most)
{
    QJsonObject object {
        { QLatin1String("version"), FormatVersion },
        { QLatin1String("pid"), qint64(QCoreApplication::applicationPid()) },
        { QLatin1String("qt"), QLatin1String(qVersion()) },
        { QLatin1String("enabled"), collector != nullptr },
    };
    if (collector)
        describe(object, *collector, most);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

/*!
    Writes how long posted events waited, and how long their handlers ran, as one line of JSON in
    UTF-8 to \a buffer, and returns its length in bytes without the terminating null byte. If the length is
    not less than \a size, nothing was written, and a larger buffer is needed: add some room, because the
    statistics grow. \a buffer may be null if \a size is 0.

    Times are in nanoseconds. The statistics contain the events of all threads that ended before the call;
    an event whose handler runs, the caller's own included, counts as unfinished. If the process was not
    started with the word \c latency in QT_POOL_ALLOCATOR, \c enabled is false and nothing is recorded.

    Any thread may call it, also from within a handler; it takes a lock that no thread takes to post
    or to deliver. doc/observe.md explains the members.
*/
std::size_t qt_pool_allocator_latency(char *buffer, std::size_t size)
{
    constexpr std::size_t all = (std::numeric_limits<std::size_t>::max)();
    QByteArray json;
    if (QPoolLatencyCollector *collector = QPoolLatencyCollector::instance())
        collector->collect([&] { json = latencyJson(collector, all); });
    else
        json = latencyJson(nullptr, all);
    const std::size_t length = std::size_t(json.size());
    if (length < size)
        std::memcpy(buffer, json.constData(), length + 1);
    return length;
}
