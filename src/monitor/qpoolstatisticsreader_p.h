// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSREADER_P_H
#define QPOOLSTATISTICSREADER_P_H

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qstring.h>

#include <algorithm>
#include <limits>

namespace QPoolStatistics {

using namespace Qt::StringLiterals;

// Remembers the first complaint, so that readers can go on without
// checking after each number.
class JsonReader
{
public:
    QString error;

    // Whether \a json is an object with another version than \a expected.
    static bool isOtherVersion(const QByteArray &json, int expected)
    {
        const QJsonValue version = QJsonDocument::fromJson(json).object().value("version"_L1);
        return version.isDouble() && version.toInteger(expected) != expected;
    }

    void fail(const QString &what)
    {
        if (error.isEmpty())
            error = what;
    }

    qint64 count(const QJsonObject &object, QLatin1StringView key)
    {
        const QJsonValue value = object.value(key);
        if (!value.isDouble()) {
            fail(u"'%1' is missing or not a number"_s.arg(key));
            return 0;
        }
        const qint64 number = value.toInteger(-1);
        if (number < 0)
            fail(u"'%1' is not a count"_s.arg(key));
        return qMax<qint64>(number, 0);
    }

    quint32 shortCount(const QJsonObject &object, QLatin1StringView key)
    {
        return quint32(qMin<qint64>(count(object, key), std::numeric_limits<quint32>::max()));
    }

    QJsonObject object(const QJsonObject &parent, QLatin1StringView key)
    {
        const QJsonValue value = parent.value(key);
        if (!value.isObject())
            fail(u"'%1' is missing or not an object"_s.arg(key));
        return value.toObject();
    }

    QJsonArray array(const QJsonObject &parent, QLatin1StringView key, qsizetype most)
    {
        const QJsonValue value = parent.value(key);
        if (!value.isArray())
            fail(u"'%1' is missing or not an array"_s.arg(key));
        const QJsonArray result = value.toArray();
        if (result.size() > most) {
            fail(u"'%1' has too many entries"_s.arg(key));
            return {};
        }
        return result;
    }

    // Sorts \a list by \a key; no two entries may have the same. \a what names an entry, with "%1" for
    // its key.
    template <class List, class Key>
    void sortUnique(List &list, Key key, const QString &what)
    {
        std::sort(list.begin(), list.end(),
                  [key](const auto &a, const auto &b) { return a.*key < b.*key; });
        const auto same = std::adjacent_find(
                list.cbegin(), list.cend(),
                [key](const auto &a, const auto &b) { return a.*key == b.*key; });
        if (same != list.cend())
            fail((what + u" is listed twice"_s).arg((*same).*key));
    }
};

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSREADER_P_H
