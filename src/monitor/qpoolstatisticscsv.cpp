// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolstatisticscsv.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

static QString quoted(const QString &cell)
{
    const bool isPlain = std::none_of(cell.begin(), cell.end(), [](QChar c) {
        return c == u',' || c == u'"' || c == u'\n' || c == u'\r';
    });
    return isPlain ? cell : u'"' + QString(cell).replace(u'"', "\"\""_L1) + u'"';
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
