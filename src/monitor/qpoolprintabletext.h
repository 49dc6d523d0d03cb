// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPRINTABLETEXT_H
#define QPOOLPRINTABLETEXT_H

#include <stats/qpoolprintable.h>

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qstring.h>

// QPool::printable() for Qt's texts, and for JSON that a process wrote: all that it is made of.

namespace QPoolStatistics {

inline QString printable(const QString &text, std::size_t most = 1000)
{
    const QByteArray utf8 = text.toUtf8();
    return QString::fromStdString(QPool::printable({ utf8.constData(), std::size_t(utf8.size()) }, most));
}

inline QJsonObject printable(const QJsonObject &object, std::size_t most = 1000);

inline QJsonValue printable(const QJsonValue &value, std::size_t most)
{
    if (value.isString())
        return printable(value.toString(), most);
    if (value.isObject())
        return printable(value.toObject(), most);
    if (!value.isArray())
        return value;
    QJsonArray result;
    const QJsonArray array = value.toArray();
    for (const QJsonValue &each : array)
        result.append(printable(each, most));
    return result;
}

inline QJsonObject printable(const QJsonObject &object, std::size_t most)
{
    QJsonObject result;
    for (auto it = object.begin(); it != object.end(); ++it)
        result.insert(printable(it.key(), most), printable(QJsonValue(it.value()), most));
    return result;
}

} // namespace QPoolStatistics

#endif // QPOOLPRINTABLETEXT_H
