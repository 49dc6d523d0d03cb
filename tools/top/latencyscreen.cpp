// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "latencyscreen.h"
#include "latencydetails.h"

#include <qpoolcommandname.h>
#include <qpoolstatisticsnumber.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using QPoolStatistics::EventLatency;
using QPoolStatistics::LatencyOrder;
using QPoolStatistics::Column::count;

namespace {

constexpr int TimeColumns = 9;
constexpr int CountColumns = 9;
// Columns of the terminal from which on the medians, and the events that were not delivered, are shown.
constexpr int WideColumns = 100;
constexpr int WidestColumns = 120;

QString orderName(const LatencyOrder &order)
{
    const QString part = order.part == LatencyOrder::Wait ? u"wait"_s : u"run"_s;
    switch (order.measure) {
    case LatencyOrder::P99: return u"p99 of "_s + part;
    case LatencyOrder::Worst: return u"worst "_s + part;
    case LatencyOrder::Total: return u"total "_s + part;
    }
    return {};
}

ScreenLines header(const ShownLatency &latency, const LatencyView &view, const ScreenForm &form)
{
    ScreenLine title(narrow(latency.name, form).left(40), Style::Strong);
    title.add(u"  process %1, how long events wait"_s.arg(latency.pid));

    const QPoolStatistics::LatencyStatistics &statistics = latency.statistics;
    const EventLatency sum = statistics.sum();
    QString unfinished = count(double(statistics.unfinished));
    if (const QPoolStatistics::ThreadLatency *longest = statistics.longestQueue())
        unfinished += u" (%1 %2)"_s.arg(narrow(statistics.nameOf(longest->id), form),
                                        count(double(longest->unfinished)));
    ScreenLine events(u"delivered %1, not delivered %2, unfinished %3, %4 threads"_s.arg(
            count(double(sum.delivered)), count(double(sum.notDelivered())), unfinished,
            count(double(statistics.threads.size()))));
    if (statistics.dropped > 0)
        events.add(u"   %1 records dropped"_s.arg(count(double(statistics.dropped))), Style::Warning);

    ScreenLine state;
    if (!latency.problem.isEmpty() && statistics.enabled)
        state.add(narrow(latency.problem, form) + u". "_s, Style::Warning);
    addState(&state, view, view.filter, form);
    state.add(u"Sorted by "_s + orderName(view.order) + u". "_s, Style::Dim);
    if (statistics.leftOut > 0)
        state.add(u"%1 rows are added up as other classes. "_s.arg(count(double(statistics.leftOut))),
                  Style::Dim);
    return { title, events, state };
}

// The words of \a text on lines of the form's width.
ScreenLines wrapped(const QString &text, const ScreenForm &form, Style style)
{
    ScreenLines lines;
    QString line;
    const QStringList words = narrow(text, form).split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words) {
        if (!line.isEmpty() && line.size() + 1 + word.size() > form.columns) {
            lines.append({ line, style });
            line.clear();
        }
        line += line.isEmpty() ? word : u' ' + word;
    }
    lines.append({ line, style });
    return lines;
}

ScreenLines nothing(const ShownLatency &latency, const ScreenForm &form)
{
    if (!latency.isRecorded) {
        return { { u"This process does not record how long events wait. To record it:"_s, Style::Warning },
                 ScreenLine(),
                 { u"  " QPOOL_COMMAND " run --latency -- PROGRAM"_s, Style::Strong },
                 ScreenLine(),
                 { u"The program's QtCore needs the feature event_latency; that of " QPOOL_COMMAND " has it."_s,
                   Style::Dim } };
    }
    if (!latency.problem.isEmpty())
        return wrapped(latency.problem + u'.', form, Style::Warning);
    return { { u"No posted event has been delivered yet."_s, Style::Dim } };
}

// The position of the row of the same kind as \a row, or -1.
qsizetype indexOf(const QList<EventLatency> &rows, const EventLatency &row)
{
    const auto found = std::find_if(rows.cbegin(), rows.cend(),
                                    [&](const EventLatency &each) { return each.isSameKind(row); });
    return found == rows.cend() ? -1 : found - rows.cbegin();
}

// Moves the selection by \a step rows, from the first one if the selected row is not shown.
void moveSelection(const QList<EventLatency> &rows, qsizetype step, EventLatency *selected)
{
    if (rows.isEmpty())
        return;
    const qsizetype here = qMax<qsizetype>(0, indexOf(rows, *selected));
    *selected = rows.at(qBound<qsizetype>(0, here + step, rows.size() - 1));
}

ScreenLines table(const QList<EventLatency> &rows, const ShownLatency &latency, const LatencyView &view,
                  const ScreenForm &form)
{
    if (rows.isEmpty())
        return { { u"No class, type or thread matches."_s, Style::Dim } };

    const bool isWide = form.columns >= WideColumns;
    const bool isWidest = form.columns >= WidestColumns;
    const auto cells = [&](const QStringList &waits, const QStringList &runs, const QString &delivered,
                           const QString &other) {
        QString text;
        for (const QStringList &times : { waits, runs }) {
            for (qsizetype i = isWide ? 0 : 1; i < times.size(); ++i)
                text += times.at(i).rightJustified(TimeColumns);
        }
        text += delivered.rightJustified(CountColumns);
        if (isWidest)
            text += other.rightJustified(CountColumns);
        return text + u"  "_s;
    };
    const auto times = [&](const QPoolStatistics::LatencyDistribution &part) {
        QStringList result;
        for (qint64 time : { part.p50, part.p99, part.worst }) {
            result += part.count > 0 ? QPoolStatistics::Column::duration(double(time), form.unicode)
                                     : u"-"_s;
        }
        return result;
    };
    ScreenLines lines { { cells({ u"wait p50"_s, u"wait p99"_s, u"worst"_s },
                                { u"run p50"_s, u"run p99"_s, u"worst"_s }, u"events"_s, u"others"_s)
                                  + u"class: type, thread"_s,
                          Style::Dim } };
    for (const EventLatency &row : rows) {
        const QString name = narrow(row.className + u": "_s + row.title() + u", "_s
                                               + latency.statistics.nameOf(row.thread),
                                       form);
        lines.append({ cells(times(row.wait), times(row.run), count(double(row.delivered)),
                             count(double(row.notDelivered())))
                               + name,
                       row.isSameKind(view.selected) ? Style::Selected : Style::Plain });
    }
    return lines;
}

ScreenLines helpText()
{
    return helpLines({ { u"q"_s, u"quit"_s },
                       { u"e, Escape"_s, u"back to the list, or to the size classes"_s },
                       { u"Enter"_s, u"histograms of the selected class, type and thread"_s },
                       { u"s"_s, u"sort by p99, worst or total time"_s },
                       { u"w"_s, u"sort by waits, or by the times that handlers run"_s },
                       { u"f, /"_s, u"filter: part of the name of a class, a type or a thread"_s },
                       { u"p, Space"_s, u"pause or resume"_s },
                       { u"arrows, pages"_s, u"select, or scroll"_s } },
                     { u"An event waits from its post to the beginning of its handler, and then runs. Only"_s,
                       u"posted events and queued calls are recorded. p99 is a time that 99 of 100 events"_s,
                       u"did not exceed. Others were removed, compressed, or their receiver was destroyed."_s });
}

} // namespace

void LatencyView::changeMeasure()
{
    order.measure = LatencyOrder::Measure((order.measure + 1) % 3);
}

void LatencyView::select(const QPoolStatistics::LatencyStatistics &statistics, qsizetype step)
{
    moveSelection(rowsOf(statistics, *this), step, &selected);
}

QList<EventLatency> rowsOf(const QPoolStatistics::LatencyStatistics &statistics, const LatencyView &view)
{
    QList<EventLatency> rows = QPoolStatistics::filtered(statistics, view.filter);
    view.order.sort(&rows);
    return rows;
}

ScreenLines latencyScreen(const ShownLatency &latency, LatencyView &view, const ScreenForm &form)
{
    const ScreenLines head = header(latency, view, form);
    const QList<EventLatency> &all = latency.statistics.events;
    const qsizetype selected = indexOf(all, view.selected);
    view.details = view.details && selected >= 0;
    QList<EventLatency> rows;
    if (!view.details) {
        rows = rowsOf(latency.statistics, view);
        moveSelection(rows, 0, &view.selected); // to a row that is shown
    }
    ScreenLines body;
    if (view.help) {
        body = helpText();
    } else if (all.isEmpty()) {
        body = nothing(latency, form);
    } else if (view.details) {
        body = latencyDetails(all.at(selected), latency.statistics.nameOf(view.selected.thread), form);
    } else {
        body = table(rows, latency, view, form);
        // The selected row stays in sight.
        const int row = int(qMax<qsizetype>(0, indexOf(rows, view.selected)));
        view.scroll = qBound(row - qMax(0, roomBelow(head, form) - 2), view.scroll, row);
    }
    const QString keys = view.details
            ? u"q quit  e back  p pause  arrows scroll  ? help"_s
            : u"q quit  e back  Enter histogram  s sort  w wait/run  f filter  p pause  ? help"_s;
    return scrolledScreen(head, body, lastLine(view, keys, form), &view.scroll, form);
}
