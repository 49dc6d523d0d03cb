// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "figureformat.h"

#include <qpoolstatisticsnumber.h>

QString FigureFormat::count(qreal value)
{
    return QPoolStatistics::rounded(value);
}

QString FigureFormat::compact(qreal value)
{
    return QPoolStatistics::compact(value);
}

QString FigureFormat::tiny(qreal value)
{
    return QPoolStatistics::tiny(value);
}

QString FigureFormat::bytes(qreal value)
{
    return QPoolStatistics::bytes(value);
}

QString FigureFormat::difference(qreal value)
{
    return QPoolStatistics::difference(qint64(value));
}

QString FigureFormat::share(qreal part)
{
    return QPoolStatistics::share(part, 1);
}
