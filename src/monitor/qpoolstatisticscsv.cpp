// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolstatisticscsv.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

// A spreadsheet would run a cell that begins like a formula; an apostrophe makes it text. A number with a sign
// is none.
static bool isFormula(const QString &cell)
{
    if (cell.isEmpty() || !u"=+-@"_s.contains(cell.front()))
        return false;
    const QStringView rest = QStringView(cell).sliced(1);
    const bool isNumber = cell.front() != u'=' && cell.front() != u'@' && !rest.isEmpty()
            && std::all_of(rest.begin(), rest.end(), [](QChar c) {
                   return (c >= u'0' && c <= u'9') || c == u'.' || c == u',';
               });
    return !isNumber;
}

static QString quoted(QString cell)
{
    if (isFormula(cell))
        cell.prepend(u'\'');
    const bool isPlain = std::none_of(cell.begin(), cell.end(), [](QChar c) {
        return c == u',' || c == u'"' || c == u'\n' || c == u'\r';
    });
    return isPlain ? cell : u'"' + cell.replace(u'"', "\"\""_L1) + u'"';
}

QByteArray csvLine(const QStringList &cells)
{
    QString line;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        if (i > 0)
            line += u',';
        line += quoted(cells.at(i));
    }
    // A single empty cell would give an empty line, which readers skip.
    if (line.isEmpty() && cells.size() == 1)
        line = u"\"\""_s;
    return line.toUtf8() + '\n';
}

} // namespace QPoolStatistics
