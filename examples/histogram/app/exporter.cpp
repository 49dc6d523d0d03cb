// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "exporter.h"

#include "poolmonitor.h"

#include <qpoolprintabletext.h>
#include <qpoolstatisticstable.h>
#include <qpoolwholefile.h>

#include <QtCore/qbuffer.h>
#include <QtCore/qdir.h>
#include <QtCore/qfileinfo.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qstandardpaths.h>
#include <QtGui/qimage.h>
#include <QtQuick/qquickwindow.h>

using namespace Qt::StringLiterals;

Exporter::Exporter(PoolMonitor *monitor, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
{
}

bool Exporter::fail(const QString &error)
{
    m_error = error;
    return false;
}

bool Exporter::canWrite(const QString &fileName)
{
    if (QPoolStatistics::isSpecialFile(fileName))
        return true;
    QSaveFile file(fileName);
    if (!file.open(QIODevice::WriteOnly))
        return fail(tr("%1 cannot be written: %2.").arg(fileName, file.errorString()));
    file.cancelWriting();
    return true;
}

// The snapshot as it was read, the session, and the event latency if there is any. The process wrote the latter
// itself, with any names.
QByteArray Exporter::json() const
{
    // A file has all of it.
    if (m_monitor->origin() == PoolMonitor::SavedFile)
        return m_monitor->json();
    QJsonObject snapshot = QJsonDocument::fromJson(m_monitor->json()).object();
    m_monitor->takeSession().insertInto(&snapshot);
    const QByteArray latency = m_monitor->latency()->json();
    if (!latency.isEmpty()) {
        snapshot.insert("latency"_L1,
                        QPoolStatistics::printable(QJsonDocument::fromJson(latency).object()));
    }
    return QJsonDocument(snapshot).toJson(QJsonDocument::Compact);
}

QByteArray Exporter::content(Format format)
{
    switch (format) {
    case Json:
        return json().trimmed() + '\n';
    case Csv:
        return QPoolStatistics::toCsv(m_monitor->snapshot());
    case Png:
        break;
    }
    QByteArray png;
    QBuffer buffer(&png);
    const QImage image = m_window ? m_window->grabWindow() : QImage();
    if (image.isNull() || !image.save(&buffer, "PNG"))
        return {};
    return png;
}

bool Exporter::write(Format format, const QString &fileName)
{
    if (format != Png && !m_monitor->hasStatistics())
        return fail(tr("There are no statistics to save."));
    const QByteArray bytes = content(format);
    if (bytes.isEmpty())
        return fail(tr("The window cannot be rendered."));
    QString why;
    return QPoolStatistics::writeWhole(fileName, bytes, &why)
            || fail(tr("%1 cannot be written: %2.").arg(fileName, why));
}

void Exporter::save(Format format, const QUrl &file)
{
    const QString fileName = file.toLocalFile();
    if (fileName.isEmpty())
        Q_EMIT failed(tr("%1 is not a file on this machine.").arg(file.toDisplayString()));
    else if (write(format, fileName))
        Q_EMIT saved(QDir::toNativeSeparators(fileName));
    else
        Q_EMIT failed(m_error);
}

QUrl Exporter::suggestion(Format format) const
{
    static constexpr QLatin1StringView Suffixes[] = { "json"_L1, "csv"_L1, "png"_L1 };
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::HomeLocation));
    for (int i = 1;; ++i) {
        const QString name = folder.filePath(
                u"qpool-%1%2.%3"_s.arg(m_monitor->pid())
                        .arg(i > 1 ? u"-%1"_s.arg(i) : QString(), Suffixes[format]));
        if (!QFileInfo::exists(name))
            return QUrl::fromLocalFile(name);
    }
}
