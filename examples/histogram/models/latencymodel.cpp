// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "latencymodel.h"

#include <qpoolstatisticsnumber.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using QPoolStatistics::LatencyHistory;
using QPoolStatistics::LatencyOrder;

namespace {

// A process publishes once a second, not always in time. Only after this time, in milliseconds, an
// unchanged text means that there were no events.
constexpr qint64 UnchangedTime = 2500;

} // namespace

void LatencyModel::setPart(int part)
{
    const auto wanted = part == LatencyOrder::Run ? LatencyOrder::Run : LatencyOrder::Wait;
    if (m_order.part == wanted)
        return;
    m_order.part = wanted;
    showRows();
}

void LatencyModel::setMeasure(int measure)
{
    const auto wanted = LatencyOrder::Measure(qBound(int(LatencyOrder::P99), measure, int(LatencyOrder::Total)));
    if (m_order.measure == wanted)
        return;
    m_order.measure = wanted;
    showRows();
}

void LatencyModel::setStrip(int strip)
{
    const auto wanted = strip == LatencyHistory::Queue ? LatencyHistory::Queue : LatencyHistory::Wait;
    if (m_strip == wanted)
        return;
    m_strip = wanted;
    Q_EMIT changed();
}

void LatencyModel::setSearch(const QString &text)
{
    if (m_search == text)
        return;
    m_search = text;
    showRows();
}

void LatencyModel::fail(State state, const QString &problem)
{
    m_state = state;
    m_problem = problem;
    Q_EMIT changed();
}

void LatencyModel::setReading(const LatencyReading &reading, qint64 milliseconds)
{
    switch (reading.status) {
    case LatencyReading::Status::Impossible:
        return fail(Impossible, reading.message);
    case LatencyReading::Status::NotRecorded:
        return fail(NotRecorded, reading.message);
    case LatencyReading::Status::Incompatible:
    case LatencyReading::Status::Damaged:
        return fail(Unreadable, reading.message);
    case LatencyReading::Status::Ready:
        break;
    }
    if (reading.json.isEmpty())
        return fail(Empty, {});
    const qint64 passed = m_isInterrupted || m_json.isEmpty() ? 0 : milliseconds - m_intervalEnd;
    const qint64 before = m_statistics.unfinished;
    if (reading.json != m_json) {
        QString error;
        auto statistics = Statistics::fromJson(reading.json, &error);
        if (!statistics)
            return fail(Unreadable, tr("The event latency can't be read: %1").arg(error));
        if (!statistics->enabled)
            return fail(NotRecorded, {});
        m_json = reading.json;
        m_statistics = *std::move(statistics);
        m_sum = m_statistics.sum();
    } else if ((m_state == Empty || m_state == Ready) && !m_isInterrupted
               && milliseconds - m_intervalEnd < UnchangedTime) {
        return;
    }
    m_isInterrupted = false;
    m_intervalEnd = milliseconds;
    m_unfinishedGrowth = passed > 0 ? double(m_statistics.unfinished - before) * 1000 / double(passed) : 0;
    m_history.add(m_statistics, milliseconds);
    m_state = m_statistics.events.isEmpty() ? Empty : Ready;
    m_problem.clear();
    showRows();
}

void LatencyModel::interrupt()
{
    m_history.interrupt();
    m_isInterrupted = true;
}

void LatencyModel::clear()
{
    m_state = Impossible;
    m_problem.clear();
    m_json.clear();
    m_statistics = {};
    m_sum = {};
    m_history.clear();
    m_intervalEnd = 0;
    m_unfinishedGrowth = 0;
    m_selected.reset();
    showRows();
}

void LatencyModel::showRows()
{
    QList<Row> wanted = QPoolStatistics::filtered(m_statistics, m_search);
    m_order.sort(&wanted);
    updateRows(&m_rows, wanted, [](const Row &a, const Row &b) { return a.isSameKind(b); });
    Q_EMIT changed();
}

void LatencyModel::select(int row)
{
    if (row < 0 || row >= count())
        return;
    m_selected = m_rows.at(row);
    showRows();
}

void LatencyModel::clearSelection()
{
    if (!m_selected)
        return;
    m_selected.reset();
    showRows();
}

const LatencyModel::Row *LatencyModel::selectedRow() const
{
    if (!m_selected)
        return nullptr;
    const auto found = std::find_if(m_statistics.events.cbegin(), m_statistics.events.cend(),
                                    [this](const Row &row) { return row.isSameKind(*m_selected); });
    return found == m_statistics.events.cend() ? &*m_selected : &*found;
}

QVariantMap LatencyModel::selection() const
{
    QVariantMap result;
    if (const Row *row = selectedRow()) {
        const QHash<int, QByteArray> names = roleNames();
        for (auto role = names.cbegin(); role != names.cend(); ++role)
            result.insert(QString::fromLatin1(*role), value(*row, role.key()));
    }
    return result;
}

QVariantList LatencyModel::bars() const
{
    QVariantList result;
    const Row *row = selectedRow();
    const QList<QPoolStatistics::LatencyBar> bars = row ? barsOf(*row) : QList<QPoolStatistics::LatencyBar>();
    for (const QPoolStatistics::LatencyBar &bar : bars)
        result.append(QVariantMap { { u"end"_s, bar.end }, { u"waits"_s, bar.waits }, { u"runs"_s, bar.runs } });
    return result;
}

QStringList LatencyModel::levels() const
{
    QStringList names;
    for (int level = 0; level < LatencyHistory::LevelCount; ++level)
        names.append(LatencyHistory::nameOfLevel(m_strip, level));
    return names;
}

QString LatencyModel::threadName(int thread) const
{
    return thread >= 0 && thread < threadCount() ? m_history.rows().at(thread).name : QString();
}

QString LatencyModel::threadText(int thread) const
{
    if (thread < 0 || thread >= threadCount())
        return {};
    qint64 worst = 0;
    qint64 longest = 0;
    for (int i = 0; i < m_history.intervalCount(); ++i) {
        const LatencyHistory::Cell cell = m_history.cell(m_history.rows().at(thread).thread, i);
        worst = qMax(worst, cell.p99);
        longest = qMax(longest, cell.unfinished);
    }
    return m_strip == LatencyHistory::Wait
            ? tr("%1: p99 of the waits up to %2").arg(threadName(thread), QPoolStatistics::duration(double(worst)))
            : tr("%1: up to %2 unfinished events").arg(threadName(thread), QPoolStatistics::count(longest));
}

QVariant LatencyModel::value(const Row &row, int role) const
{
    switch (role) {
    case ClassRole: return row.className;
    case TypeRole: return row.title();
    case ThreadRole: return m_statistics.nameOf(row.thread);
    case DeliveredRole: return row.delivered;
    case RemovedRole: return row.removed;
    case DiedRole: return row.receiverDied;
    case CompressedRole: return row.compressed;
    case LostRole: return row.lost;
    case NotDeliveredRole: return row.notDelivered();
    case WaitP50Role: return row.wait.p50;
    case WaitP99Role: return row.wait.p99;
    case WaitWorstRole: return row.wait.worst;
    case RunP50Role: return row.run.p50;
    case RunP99Role: return row.run.p99;
    case RunWorstRole: return row.run.worst;
    case BarRole: {
        // The rows are sorted by this value.
        const qint64 largest = m_rows.isEmpty() ? 0 : m_order.valueOf(m_rows.first());
        return largest > 0 ? qreal(m_order.valueOf(row)) / qreal(largest) : 0;
    }
    case SelectedRole: return m_selected && row.isSameKind(*m_selected);
    default: return {};
    }
}

QVariant LatencyModel::value(int row, int role) const
{
    return value(m_rows.at(row), role);
}

QHash<int, QByteArray> LatencyModel::roleNames() const
{
    return { { ClassRole, "className" },
             { TypeRole, "typeName" },
             { ThreadRole, "threadName" },
             { DeliveredRole, "delivered" },
             { RemovedRole, "removed" },
             { DiedRole, "died" },
             { CompressedRole, "compressed" },
             { LostRole, "lost" },
             { NotDeliveredRole, "notDelivered" },
             { WaitP50Role, "waitP50" },
             { WaitP99Role, "waitP99" },
             { WaitWorstRole, "waitWorst" },
             { RunP50Role, "runP50" },
             { RunP99Role, "runP99" },
             { RunWorstRole, "runWorst" },
             { BarRole, "bar" },
             { SelectedRole, "selected" } };
}
