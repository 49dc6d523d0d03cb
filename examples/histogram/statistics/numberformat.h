// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef NUMBERFORMAT_H
#define NUMBERFORMAT_H

#include <qpoolstatisticsnumber.h>

#include <QtCore/qobject.h>
#include <QtCore/qstring.h>
#include <QtQml/qqmlregistration.h>

// Formats numbers for QML, in the format of all programs.
class NumberFormat : public QObject
{
    Q_OBJECT
    QML_NAMED_ELEMENT(Format)
    QML_SINGLETON

public:
    // 1,234,567
    Q_INVOKABLE static QString count(qreal value) { return QPoolStatistics::rounded(value); }
    // 1.2 M
    Q_INVOKABLE static QString compact(qreal value) { return QPoolStatistics::compact(value); }
    // 1.2 M, for narrow places
    Q_INVOKABLE static QString tiny(qreal value) { return QPoolStatistics::tiny(value); }
    // 1.2 MiB
    Q_INVOKABLE static QString bytes(qreal value) { return QPoolStatistics::bytes(value); }
    // +1,234, -1,234, or a dash for zero
    Q_INVOKABLE static QString difference(qreal value) { return QPoolStatistics::difference(qint64(value)); }
    // 1.2 ms
    Q_INVOKABLE static QString duration(qreal nanoseconds) { return QPoolStatistics::duration(nanoseconds); }
    // 12.5% for 0.125
    Q_INVOKABLE static QString share(qreal part) { return QPoolStatistics::share(part, 1); }
};

#endif // NUMBERFORMAT_H
