// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "export.h"
#include "followedprocess.h"
#include "qpoolcachesjson_p.h"
#include "qpoolfiguresjson_p.h"

#include <QtCore/qdatetime.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qtimezone.h>

using namespace Qt::StringLiterals;

namespace {

QString isoTime(qint64 milliseconds)
{
    return QDateTime::fromMSecsSinceEpoch(milliseconds, Qt::UTC).toString(Qt::ISODateWithMs);
}

QByteArray field(const QString &text)
{
    QByteArray result = text.toUtf8();
    if (result.contains(',') || result.contains('"'))
        result = '"' + result.replace('"', "\"\"") + '"';
    return result;
}

} // namespace

namespace Export {

QByteArray json(const QPool::Figures &figures, const QPool::CacheListing &caches)
{
    QJsonObject object = QPoolFiguresJson::toJson(figures);
    QPoolCachesJson::insertInto(&object, caches);
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

QByteArray json(const ProcessList &processes)
{
    QJsonArray array;
    for (const QPool::ListedProcess &process : processes) {
        QJsonObject entry;
        entry.insert("pid"_L1, qint64(process.pid));
        entry.insert("program"_L1, QString::fromStdString(process.name));
        if (process.error == QPool::MonitoredProcess::NoError) {
            entry.insert("qt"_L1, QString::fromStdString(process.figures.library));
            entry.insert("enabled"_L1, process.figures.enabled);
            entry.insert("since"_L1, isoTime(qint64(process.since)));
            entry.insert("live"_L1, qint64(Totals::of(process.figures).live));
            entry.insert("bytes"_L1, qint64(process.figures.liveBytes()));
            entry.insert("arenas"_L1, qint64(process.figures.arenas.size()));
        } else {
            entry.insert("error"_L1, QString::fromStdString(process.message));
        }
        array.append(entry);
    }
    return QJsonDocument(array).toJson(QJsonDocument::Compact) + '\n';
}

QByteArray csvHeading()
{
    return "time,pid,domain,size,allocated,freed,remote,live\n";
}

QByteArray csv(const QPool::Figures &figures, qint64 now)
{
    const QString prefix = isoTime(now) + u",%1,"_s.arg(figures.pid);
    QString text;
    for (const QPool::DomainFigures &domain : figures.domains) {
        for (const QPool::ClassFigures &entry : domain.classes) {
            text += prefix + QString::fromStdString(domain.name);
            for (std::uint64_t number : { std::uint64_t(entry.size), entry.allocated, entry.freed,
                                          entry.remote, entry.live() }) {
                text += u',' + QString::number(number);
            }
            text += u'\n';
        }
    }
    return text.toUtf8();
}

QByteArray csv(const ProcessList &processes)
{
    QByteArray text = "pid,program,qt,since,live,bytes,arenas\n";
    for (const QPool::ListedProcess &process : processes) {
        text += QByteArray::number(qint64(process.pid)) + ','
                + field(QString::fromStdString(process.name)) + ',';
        if (process.error == QPool::MonitoredProcess::NoError) {
            text += process.figures.library.c_str();
            text += ',' + isoTime(qint64(process.since)).toUtf8() + ','
                    + QByteArray::number(quint64(Totals::of(process.figures).live)) + ','
                    + QByteArray::number(quint64(process.figures.liveBytes())) + ','
                    + QByteArray::number(quint64(process.figures.arenas.size()));
        } else {
            text += ",,,,";
        }
        text += '\n';
    }
    return text;
}

} // namespace Export
