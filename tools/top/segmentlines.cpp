// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "segmentlines.h"

#include <qpoolstatisticsnumber.h>

using namespace Qt::StringLiterals;
using QPoolStatistics::Column::bytes;
using QPoolStatistics::Column::count;

namespace {

ScreenLine row(const QString &name, const QString &size, const QString &used, const QString &blocks,
               const QString &largest, const QString &lock, const QString &deaths, Style style)
{
    QString text = u"  "_s + name.leftJustified(22, u' ', true);
    text += size.rightJustified(10) + used.rightJustified(10) + blocks.rightJustified(9);
    text += largest.rightJustified(10) + lock.rightJustified(8) + deaths.rightJustified(7);
    return { text, style };
}

ScreenLine segmentRow(const QPool::SharedListing &segment, const ScreenForm &form)
{
    const QString name = narrow(QString::fromStdString(segment.name), form);
    if (segment.error != QPool::SharedError::None) {
        // Without a column for the name, because the text needs the width.
        return { u"  "_s + name + u"  "_s + QString::fromUtf8(QPool::errorText(segment.error)),
                 Style::Warning };
    }
    const QPool::SharedStatistics &statistics = segment.statistics;
    return row(name, bytes(double(statistics.bytes)),
               bytes(double(statistics.usedBytes)),
               count(double(statistics.usedBlocks)),
               bytes(double(statistics.largestFree)), QString::fromLatin1(QPool::lockName(statistics.lock)),
               count(double(statistics.deaths)),
               statistics.deaths ? Style::Warning : Style::Plain);
}

} // namespace

ScreenLines segmentLines(const SegmentList &segments, const ScreenForm &form, qsizetype room)
{
    ScreenLines lines;
    if (segments.empty() || (room >= 0 && room < 3))
        return lines;
    lines.append(ScreenLine());
    lines.append(row(u"shared memory"_s, u"size"_s, u"used"_s, u"blocks"_s, u"free run"_s, u"lock"_s,
                     u"deaths"_s, Style::Dim));
    for (const QPool::SharedListing &segment : segments) {
        const auto left = qsizetype(segments.size()) - (lines.size() - 2);
        if (room >= 0 && lines.size() == room - 1 && left > 1) {
            lines.append(ScreenLine(u"  and %1 more"_s.arg(left), Style::Dim));
            break;
        }
        lines.append(segmentRow(segment, form));
    }
    return lines;
}
