// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef NUMBERFORMAT_H
#define NUMBERFORMAT_H

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
    Q_INVOKABLE static QString count(qreal value); // 1,234,567
    Q_INVOKABLE static QString compact(qreal value); // 1.2 M
    Q_INVOKABLE static QString tiny(qreal value); // 1.2 M, for narrow places
    Q_INVOKABLE static QString bytes(qreal value); // 1.2 MiB
    Q_INVOKABLE static QString difference(qreal value); // +1,234, -1,234, or a dash for zero
    Q_INVOKABLE static QString duration(qreal nanoseconds); // 1.2 ms
    Q_INVOKABLE static QString share(qreal part); // 12.5% for 0.125
};

#endif // NUMBERFORMAT_H
