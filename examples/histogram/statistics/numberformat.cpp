// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "numberformat.h"

#include <qpoolstatisticsnumber.h>

QString NumberFormat::count(qreal value)
{
    return QPoolStatistics::rounded(value);
}

QString NumberFormat::compact(qreal value)
{
    return QPoolStatistics::compact(value);
}

QString NumberFormat::tiny(qreal value)
{
    return QPoolStatistics::tiny(value);
}

QString NumberFormat::bytes(qreal value)
{
    return QPoolStatistics::bytes(value);
}

QString NumberFormat::difference(qreal value)
{
    return QPoolStatistics::difference(qint64(value));
}

QString NumberFormat::duration(qreal nanoseconds)
{
    return QPoolStatistics::duration(nanoseconds);
}

QString NumberFormat::share(qreal part)
{
    return QPoolStatistics::share(part, 1);
}
