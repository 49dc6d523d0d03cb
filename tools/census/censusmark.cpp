// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censusmark.h"

#include "census/qpoolcensusjson.h"

#include <qpoolprintabletext.h>

#include <QtCore/qfile.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

using namespace Qt::StringLiterals;

namespace CensusMark {

std::optional<QPool::Census> fromJson(const QByteArray &json, QString *error)
{
    auto refused = [error](const QString &why) {
        *error = why;
        return std::nullopt;
    };
    QJsonParseError parsed;
    const QJsonObject root = QJsonDocument::fromJson(json, &parsed).object();
    if (parsed.error != QJsonParseError::NoError)
        return refused(u"it is not JSON: "_s + parsed.errorString());
    if (root.contains("error"_L1))
        return refused(u"it is from a census that failed: "_s
                       + QPoolStatistics::printable(root.value("error"_L1).toString()));
    if (!root.value("classes"_L1).isArray())
        return refused(u"it is not a census"_s);
    const int version = root.value("version"_L1).toInt();
    if (version != QPool::CensusFormatVersion)
        return refused(u"it has version %1 of the format, only version %2 is supported"_s.arg(version)
                               .arg(QPool::CensusFormatVersion));
    QPool::Census census;
    census.pid = quint64(root.value("pid"_L1).toInteger());
    const QJsonArray classes = root.value("classes"_L1).toArray();
    for (const QJsonValue &value : classes) {
        const QJsonObject entry = value.toObject();
        QPool::CensusRow row;
        const auto name = [&](QLatin1StringView key) {
            return QPoolStatistics::printable(entry.value(key).toString()).toStdString();
        };
        row.domain = name("domain"_L1);
        row.name = name("class"_L1);
        row.module = name("module"_L1);
        row.eventType = entry.value("eventType"_L1).toInt(-1);
        const qint64 count = entry.value("count"_L1).toInteger(-1);
        const qint64 bytes = entry.value("bytes"_L1).toInteger(-1);
        if (row.name.empty() || row.domain.empty() || count < 0 || bytes < 0)
            return refused(u"a class in it has no name or no count"_s);
        row.count = quint64(count);
        row.bytes = quint64(bytes);
        census.rows.push_back(std::move(row));
    }
    if (root.contains("count"_L1) && qint64(census.count()) != root.value("count"_L1).toInteger(-1))
        return refused(u"it has only some of the classes: take it without --filter"_s);
    return census;
}

std::optional<QPool::Census> read(const QString &path, QString *error)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        *error = file.errorString();
        return std::nullopt;
    }
    return fromJson(file.readAll(), error);
}

} // namespace CensusMark
