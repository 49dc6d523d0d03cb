// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "export.h"
#include "followedprocess.h"
#include "qpoolcachesjson_p.h"
#include "qpoolsnapshotjson_p.h"

#include "census/qpoolcensusreader.h"

#include <qpoollatencystatistics.h>
#include <qpoolprintabletext.h>
#include <qpoolstatisticscsv.h>
#include <qpoolstatisticsconversion.h>
#include <qpoolstatisticstable.h>

#include <QtCore/qjsondocument.h>

using namespace Qt::StringLiterals;
using QPoolStatistics::csvLine;
using QPoolStatistics::isoTime;

namespace Export {

// As the process wrote it, but only if it can be read, and with printable names.
static void insertInto(QJsonObject *process, const QPool::PublishedLatency &latency)
{
    const std::string &json = latency.text.json;
    QString problem = latency.state == QPool::PublishedLatency::NotRecorded
            ? QString() : QString::fromStdString(latency.problem);
    if (!json.empty()) {
        const QJsonObject object = QJsonDocument::fromJson(
                QByteArray::fromRawData(json.data(), qsizetype(json.size()))).object();
        if (QPoolStatistics::LatencyStatistics::fromJson(object, &problem))
            process->insert("latency"_L1, QPoolStatistics::printable(object));
    }
    if (!problem.isEmpty())
        process->insert("latencyProblem"_L1, problem);
}

QByteArray json(const QPool::ProcessStatistics &statistics, const QPool::CacheListing &caches,
                const QPool::PublishedLatency &latency, const QPoolStatistics::Session &session)
{
    QJsonObject object = QPoolSnapshotJson::toJson(statistics);
    QPoolCachesJson::insertInto(&object, caches);
    insertInto(&object, latency);
    session.insertInto(&object);
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

QPoolStatistics::Session sessionOf(qint64 pid, qint64 now, bool counts)
{
    QPoolStatistics::Session session;
    session.time = QDateTime::fromMSecsSinceEpoch(now, Qt::UTC);
    session.command = QPoolStatistics::Session::commandOf(pid);
    session.threadNames = QPoolStatistics::Session::threadNamesOf(pid);
    if (!counts)
        return session;
    QPool::CensusReader::Error error;
    std::string message;
    QPool::Census census;
    const auto reader = QPool::CensusReader::attach(pid, &error, &message);
    if (!reader || !reader->take(&census, &error, &message)) {
        session.classesProblem = QString::fromStdString(message);
        return session;
    }
    session.classes = QPoolStatistics::of(census.rows);
    session.uncertain = qint64(census.uncertain());
    return session;
}

QByteArray json(const ProcessList &processes)
{
    QJsonArray array;
    for (const QPool::ListedProcess &process : processes) {
        QJsonObject entry;
        entry.insert("pid"_L1, qint64(process.pid));
        entry.insert("program"_L1, QString::fromStdString(process.name));
        if (process.error == QPool::MonitoredProcess::NoError) {
            entry.insert("qt"_L1, QString::fromStdString(process.statistics.library));
            entry.insert("enabled"_L1, process.statistics.enabled);
            entry.insert("since"_L1, isoTime(qint64(process.since)));
            entry.insert("live"_L1, qint64(Totals::of(process.statistics).live));
            entry.insert("bytes"_L1, qint64(process.statistics.liveBytes()));
            entry.insert("arenas"_L1, qint64(process.statistics.arenas.size()));
        } else {
            entry.insert("error"_L1, QString::fromStdString(process.message));
        }
        array.append(entry);
    }
    return QJsonDocument(array).toJson(QJsonDocument::Compact) + '\n';
}

QByteArray csv(const QPool::ProcessStatistics &statistics, qint64 now)
{
    const QPoolStatistics::TableMoment moment { now, qint64(statistics.pid) };
    QByteArray text;
    for (const QPool::DomainStatistics &domain : statistics.domains) {
        const QString name = QString::fromStdString(domain.name);
        for (const QPool::ClassStatistics &entry : domain.classes)
            text += tableLine(moment, name, QPoolStatistics::of(entry));
    }
    for (const QPool::ArenaStatistics &arena : statistics.arenas)
        text += tableLine(moment, QPoolStatistics::of(arena));
    return text;
}

QByteArray csv(const ProcessList &processes)
{
    QByteArray text = csvLine({ u"pid"_s, u"program"_s, u"qt"_s, u"since"_s, u"live"_s, u"bytes"_s,
                                u"arenas"_s });
    for (const QPool::ListedProcess &process : processes) {
        QStringList cells { QString::number(process.pid), QString::fromStdString(process.name) };
        if (process.error == QPool::MonitoredProcess::NoError) {
            cells += { QString::fromStdString(process.statistics.library),
                       isoTime(qint64(process.since)),
                       QString::number(Totals::of(process.statistics).live),
                       QString::number(process.statistics.liveBytes()),
                       QString::number(process.statistics.arenas.size()) };
        } else {
            cells += { {}, {}, {}, {}, {} };
        }
        text += csvLine(cells);
    }
    return text;
}

} // namespace Export
