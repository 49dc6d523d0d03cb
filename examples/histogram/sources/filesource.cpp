// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "filesource.h"

#include <QtCore/qfile.h>
#include <QtCore/qfileinfo.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

namespace {

// The statistics of thousands of threads take a few megabytes.
constexpr qint64 LargestFile = 64 * 1024 * 1024;

} // namespace

FileSource::FileSource(const QString &fileName)
    : m_fileName(fileName)
{
}

QString FileSource::title() const
{
    return QFileInfo(m_fileName).fileName();
}

SnapshotSource::Reading FileSource::read()
{
    QFile file(m_fileName);
    if (!file.open(QIODevice::ReadOnly))
        return { Status::Damaged,
                 {},
                 tr("%1 cannot be opened: %2").arg(m_fileName, file.errorString()) };
    const QByteArray json = file.read(LargestFile + 1);
    if (file.error() != QFile::NoError)
        return { Status::Damaged,
                 {},
                 tr("%1 cannot be read: %2").arg(m_fileName, file.errorString()) };
    if (json.size() > LargestFile)
        return { Status::Damaged, {}, tr("%1 is too large for a snapshot").arg(m_fileName) };
    return { Status::Ready, json, {} };
}

ClassCensus FileSource::census()
{
    QString error;
    const auto session = QPoolStatistics::Session::fromJson(QJsonDocument::fromJson(read().json).object(), &error);
    if (!session)
        return { {}, 0, tr("The classes cannot be read: %1").arg(error) };
    const QString &problem = session->classesProblem;
    if (session->classes) {
        return { *session->classes, session->uncertain,
                 problem.isEmpty() ? QString() : tr("Of the classes: %1").arg(problem) };
    }
    return { {}, 0,
             problem.isEmpty() ? tr("This snapshot has no classes")
                               : tr("The classes could not be counted: %1").arg(problem) };
}

LatencyReading FileSource::latency()
{
    const QJsonValue latency = QJsonDocument::fromJson(read().json).object().value(QLatin1String("latency"));
    if (!latency.isObject())
        return { LatencyReading::Status::Impossible, {}, tr("This snapshot has no event latency") };
    return { LatencyReading::Status::Ready,
             QJsonDocument(latency.toObject()).toJson(QJsonDocument::Compact), {} };
}
