// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "textformat.h"

#include <qpoolstatisticsnumber.h>

using namespace Qt::StringLiterals;

namespace TextFormat {

QString rate(double perSecond)
{
    return perSecond < 0 ? u"-"_s : QPoolStatistics::Column::count(perSecond);
}

QString duration(qint64 milliseconds)
{
    const qint64 seconds = qMax<qint64>(0, milliseconds / 1000);
    if (seconds < 60)
        return u"%1 s"_s.arg(seconds);
    if (seconds < 3600)
        return u"%1 min %2 s"_s.arg(seconds / 60).arg(seconds % 60);
    if (seconds < 24 * 3600)
        return u"%1 h %2 min"_s.arg(seconds / 3600).arg(seconds / 60 % 60);
    return u"%1 d %2 h"_s.arg(seconds / 86400).arg(seconds / 3600 % 24);
}

} // namespace TextFormat
