// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "latencydetails.h"

#include <qpoolstatisticsnumber.h>

using namespace Qt::StringLiterals;
using QPoolStatistics::LatencyBar;
using QPoolStatistics::LatencyDistribution;
using QPoolStatistics::Column::count;

namespace {

constexpr int LabelColumns = 12;
constexpr int CountColumns = 9;
constexpr int MostBarColumns = 40;

QString time(qint64 nanoseconds, const ScreenForm &form)
{
    return QPoolStatistics::Column::duration(double(nanoseconds), form.unicode);
}

ScreenLine times(const QString &name, const LatencyDistribution &part, Style style, const ScreenForm &form)
{
    ScreenLine line(name.leftJustified(6), style);
    if (part.count == 0)
        return line.add(u"no event"_s, Style::Dim);
    const auto mean = qint64(double(part.total) / double(part.count));
    return line.add(u"p50 %1   p99 %2   worst %3   mean %4   total %5"_s.arg(
            time(part.p50, form), time(part.p99, form), time(part.worst, form), time(mean, form),
            time(part.total, form)));
}

} // namespace

ScreenLines latencyDetails(const QPoolStatistics::EventLatency &row, const QString &thread,
                           const ScreenForm &form)
{
    ScreenLines lines;
    lines.append(ScreenLine(narrow(row.className + u": "_s + row.title(), form), Style::Strong)
                         .add(narrow(u", "_s + thread, form)));
    lines.append(u"delivered %1, removed %2, receiver destroyed %3, compressed %4, lost %5"_s.arg(
            count(double(row.delivered)), count(double(row.removed)), count(double(row.receiverDied)),
            count(double(row.compressed)), count(double(row.lost))));
    lines.append(times(u"wait"_s, row.wait, Style::Event, form));
    lines.append(times(u"run"_s, row.run, Style::Object, form));

    const QList<LatencyBar> bars = barsOf(row);
    if (bars.isEmpty())
        return lines;
    qint64 largest = 1;
    for (const LatencyBar &bar : bars)
        largest = qMax(largest, qMax(bar.waits, bar.runs));
    const int width = qBound(1, (form.columns - LabelColumns - 2 * (CountColumns + 2)) / 2, MostBarColumns);
    lines.append(ScreenLine());
    ScreenLine heading(u"up to"_s.rightJustified(LabelColumns - 2), Style::Dim);
    heading.fillTo(LabelColumns).add(u"wait"_s, Style::Event);
    heading.fillTo(LabelColumns + width + CountColumns + 2).add(u"run"_s, Style::Object);
    lines.append(heading);
    for (const LatencyBar &bar : bars) {
        ScreenLine line(time(bar.end, form).rightJustified(LabelColumns - 2));
        int start = LabelColumns;
        for (const auto &[number, style] : { std::pair(bar.waits, Style::Event), std::pair(bar.runs, Style::Object) }) {
            line.fillTo(start);
            line.add(QPoolStatistics::bar(double(number) / double(largest), width, form.unicode), style);
            const QString text = number > 0 ? count(double(number)) : QString();
            line.fillTo(start + width + CountColumns - text.size()).add(text);
            start += width + CountColumns + 2;
        }
        lines.append(line);
    }
    return lines;
}
