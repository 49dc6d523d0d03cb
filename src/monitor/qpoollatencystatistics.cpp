// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollatencystatistics.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

static void addTo(qint64 &sum, qint64 more)
{
    sum = qMin(sum + more, LargestCount);
}

qint64 LatencyDistribution::Bucket::end() const
{
    qint64 width = 1;
    while (least / width >= 16)
        width *= 2;
    return least + width;
}

void LatencyDistribution::findPercentiles()
{
    const auto percentile = [this](qint64 percent) {
        const qint64 rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
        qint64 seen = 0;
        for (const Bucket &bucket : std::as_const(buckets)) {
            addTo(seen, bucket.count);
            if (seen >= rank)
                return qMin(worst, bucket.end() - 1);
        }
        return worst;
    };
    p50 = percentile(50);
    p99 = percentile(99);
}

void LatencyDistribution::add(const LatencyDistribution &other)
{
    addTo(count, other.count);
    addTo(total, other.total);
    worst = qMax(worst, other.worst);
    QList<Bucket> sum;
    auto mine = buckets.cbegin();
    auto theirs = other.buckets.cbegin();
    while (mine != buckets.cend() || theirs != other.buckets.cend()) {
        if (theirs == other.buckets.cend() || (mine != buckets.cend() && mine->least < theirs->least)) {
            sum.append(*mine++);
        } else if (mine == buckets.cend() || theirs->least < mine->least) {
            sum.append(*theirs++);
        } else {
            sum.append(*mine++);
            addTo(sum.last().count, (theirs++)->count);
        }
    }
    buckets = sum;
    findPercentiles();
}

LatencyDistribution LatencyDistribution::since(const LatencyDistribution &before) const
{
    LatencyDistribution result;
    auto then = before.buckets.cbegin();
    for (const Bucket &bucket : buckets) {
        while (then != before.buckets.cend() && then->least < bucket.least)
            ++then;
        const bool was = then != before.buckets.cend() && then->least == bucket.least;
        const qint64 more = bucket.count - (was ? then->count : 0);
        if (more > 0) {
            result.buckets.append({ bucket.least, more });
            addTo(result.count, more);
        }
    }
    result.total = qMax<qint64>(0, total - before.total);
    if (!result.buckets.isEmpty())
        result.worst = worst > before.worst ? worst : qMin(worst, result.buckets.last().end() - 1);
    result.findPercentiles();
    return result;
}

QString EventLatency::title() const
{
    if (signal.isEmpty() && slot.isEmpty())
        return type;
    // Beside it is the receiver's class.
    const QString scope = className + u"::"_s;
    const QString called = slot.isEmpty() ? type : slot.startsWith(scope) ? slot.mid(scope.size()) : slot;
    return signal.isEmpty() ? called : u"%1 from %2"_s.arg(called, signal);
}

qint64 EventLatency::notDelivered() const
{
    qint64 sum = removed;
    for (qint64 more : { receiverDied, compressed, lost })
        addTo(sum, more);
    return sum;
}

static auto kindOf(const EventLatency &row)
{
    return std::tie(row.className, row.type, row.number, row.thread, row.slot, row.signal);
}

bool EventLatency::isSameKind(const EventLatency &other) const
{
    return kindOf(*this) == kindOf(other);
}

static void add(EventLatency *sum, const EventLatency &row)
{
    for (auto member : { &EventLatency::delivered, &EventLatency::removed, &EventLatency::receiverDied,
                         &EventLatency::compressed, &EventLatency::lost })
        addTo(sum->*member, row.*member);
    sum->wait.add(row.wait);
    sum->run.add(row.run);
}

// The bar of a time: 0, 1, 2 and 3, 4 to 7, and so on.
static int barOf(qint64 time)
{
    int bar = 0;
    for (; time > 0; time /= 2)
        ++bar;
    return bar;
}

QList<LatencyBar> barsOf(const EventLatency &row)
{
    int first = std::numeric_limits<int>::max();
    int last = -1;
    for (const LatencyDistribution *times : { &row.wait, &row.run }) {
        if (times->buckets.isEmpty())
            continue;
        first = qMin(first, barOf(times->buckets.first().least));
        last = qMax(last, barOf(times->buckets.last().least));
    }
    QList<LatencyBar> bars;
    for (int i = first; i <= last; ++i)
        bars.append({ i > 0 ? qint64(1) << (i - 1) : 0, qint64(1) << i, 0, 0 });
    for (const LatencyDistribution::Bucket &bucket : row.wait.buckets)
        addTo(bars[barOf(bucket.least) - first].waits, bucket.count);
    for (const LatencyDistribution::Bucket &bucket : row.run.buckets)
        addTo(bars[barOf(bucket.least) - first].runs, bucket.count);
    return bars;
}

QString LatencyStatistics::nameOf(qint64 thread) const
{
    const auto found = std::lower_bound(threads.cbegin(), threads.cend(), thread,
                                        [](const ThreadLatency &t, qint64 id) { return t.id < id; });
    if (found != threads.cend() && found->id == thread && !found->name.isEmpty())
        return found->name;
    return u"thread %1"_s.arg(thread);
}

EventLatency LatencyStatistics::sum() const
{
    EventLatency sum;
    for (const EventLatency &row : events)
        add(&sum, row);
    return sum;
}

const ThreadLatency *LatencyStatistics::longestQueue() const
{
    const auto longest = std::max_element(
            threads.cbegin(), threads.cend(),
            [](const ThreadLatency &a, const ThreadLatency &b) { return a.unfinished < b.unfinished; });
    return longest == threads.cend() || longest->unfinished == 0 ? nullptr : &*longest;
}

void LatencyStatistics::makeUnique()
{
    std::stable_sort(threads.begin(), threads.end(),
                     [](const ThreadLatency &a, const ThreadLatency &b) { return a.id < b.id; });
    QList<ThreadLatency> uniqueThreads;
    for (const ThreadLatency &thread : std::as_const(threads)) {
        if (uniqueThreads.isEmpty() || uniqueThreads.constLast().id != thread.id) {
            uniqueThreads.append(thread);
            continue;
        }
        ThreadLatency &same = uniqueThreads.last();
        same.name = thread.name; // the latest one
        same.ended = same.ended && thread.ended;
        addTo(same.posted, thread.posted);
        addTo(same.delivered, thread.delivered);
        addTo(same.dropped, thread.dropped);
        addTo(same.unfinished, thread.unfinished);
    }
    threads = uniqueThreads;

    std::sort(events.begin(), events.end(),
              [](const EventLatency &a, const EventLatency &b) { return kindOf(a) < kindOf(b); });
    QList<EventLatency> uniqueEvents;
    for (const EventLatency &row : std::as_const(events)) {
        if (!uniqueEvents.isEmpty() && uniqueEvents.constLast().isSameKind(row))
            add(&uniqueEvents.last(), row);
        else
            uniqueEvents.append(row);
    }
    events = uniqueEvents;
}

qint64 LatencyOrder::valueOf(const EventLatency &row) const
{
    const LatencyDistribution &times = partOf(row);
    switch (measure) {
    case P99: return times.p99;
    case Worst: return times.worst;
    case Total: return times.total;
    }
    return 0;
}

void LatencyOrder::sort(QList<EventLatency> *rows) const
{
    std::sort(rows->begin(), rows->end(), [this](const EventLatency &a, const EventLatency &b) {
        const auto rank = [this](const EventLatency &row) {
            return std::make_tuple(-valueOf(row), -partOf(row).worst, -partOf(row).total,
                                   -row.notDelivered());
        };
        const auto rankOfA = rank(a);
        const auto rankOfB = rank(b);
        return rankOfA != rankOfB ? rankOfA < rankOfB : kindOf(a) < kindOf(b);
    });
}

QList<EventLatency> filtered(const LatencyStatistics &statistics, const QString &text)
{
    QList<EventLatency> result;
    std::copy_if(statistics.events.cbegin(), statistics.events.cend(), std::back_inserter(result),
                 [&](const EventLatency &row) {
                     return row.className.contains(text, Qt::CaseInsensitive)
                             || row.type.contains(text, Qt::CaseInsensitive)
                             || row.signal.contains(text, Qt::CaseInsensitive)
                             || row.slot.contains(text, Qt::CaseInsensitive)
                             || QString::number(row.thread).contains(text)
                             || statistics.nameOf(row.thread).contains(text, Qt::CaseInsensitive);
                 });
    return result;
}

} // namespace QPoolStatistics
