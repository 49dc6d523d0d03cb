// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "listscreen.h"
#include "followedprocess.h"
#include "screenparts.h"
#include "textformat.h"

#include <qpoolcommandname.h>
#include <qpoolstatisticsnumber.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using QPoolStatistics::Column::bytes;
using QPoolStatistics::Column::count;

namespace {

ScreenLine row(const QString &pid, const QString &program, const QString &live,
               const QString &bytes, const QString &arenas, const QString &qt, const QString &since,
               Style style)
{
    QString text = pid.rightJustified(8) + u"  "_s + program.leftJustified(20, u' ', true);
    text += live.rightJustified(11) + bytes.rightJustified(12) + arenas.rightJustified(8);
    text += u"  "_s + qt.leftJustified(7) + since.rightJustified(10);
    return { text, style };
}

ScreenLine processRow(const QPool::ListedProcess &process, const ScreenForm &form, qint64 now,
                      Style style)
{
    const QString pid = QString::number(process.pid);
    const QString name = narrow(QString::fromStdString(process.name), form);
    if (process.error != QPool::MonitoredProcess::NoError) {
        const QString what = process.error == QPool::MonitoredProcess::Incompatible
                ? u"publishes in the format of another version"_s : u"publishes invalid data"_s;
        return ScreenLine(pid.rightJustified(8) + u"  "_s + name.leftJustified(20, u' ', true)
                                  + u"  "_s + what,
                          style == Style::Plain ? Style::Warning : style);
    }
    const QPool::ProcessStatistics &statistics = process.statistics;
    return row(pid, name, count(double(Totals::of(statistics).live)),
               bytes(double(statistics.liveBytes())),
               count(double(statistics.arenas.size())),
               QString::fromStdString(statistics.library),
               TextFormat::duration(now - qint64(process.since)), style);
}

} // namespace

ScreenLines listScreen(const ProcessList &processes, qint64 selected, const QString &notice,
                       const ScreenForm &form, qint64 now, const SegmentList &segments)
{
    const bool endless = form.rows == 0;
    // At most a third of the screen.
    const ScreenLines below = segmentLines(segments, form, endless ? -1 : form.rows / 3);
    ScreenLines lines;
    if (processes.empty()) {
        lines.append(ScreenLine(u"No process publishes statistics."_s));
        lines.append(ScreenLine(u"To start one: " QPOOL_COMMAND " run -- PROGRAM"_s, Style::Dim));
    } else {
        lines.append(row(u"pid"_s, u"program"_s, u"live"_s, u"bytes"_s, u"arenas"_s, u"Qt"_s,
                         u"uptime"_s, Style::Dim));
        const auto chosen = std::find_if(processes.begin(), processes.end(), [&](const auto &p) {
            return p.pid == selected;
        });
        const auto room = endless ? std::ptrdiff_t(processes.size())
                                  : qMax(1, form.rows - 2 - int(below.size()));
        // The selected process must be visible.
        auto first = processes.begin();
        if (chosen != processes.end() && chosen - first >= room)
            first = chosen - room + 1;
        for (auto it = first; it != processes.end() && it - first < room; ++it) {
            const Style style = it == chosen ? Style::Selected : Style::Plain;
            lines.append(processRow(*it, form, now, style));
        }
    }
    lines += below;
    return wholeScreen(lines,
                       notice.isEmpty() ? ScreenLine(u"q quit  arrows select  Enter follow"_s, Style::Dim)
                                        : ScreenLine(narrow(notice, form), Style::Warning),
                       form);
}
