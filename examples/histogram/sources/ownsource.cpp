// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "ownsource.h"

#include <qpoolsession.h>

#include <QtCore/qcoreapplication.h>

#ifdef Q_OS_UNIX
#include <dlfcn.h>
#else
#include <QtCore/qlibrary.h>
#include <QtCore/qstring.h>
#endif

namespace {

template <typename Function>
Function lookUp(const char *symbol)
{
#ifdef Q_OS_UNIX
    // The default search order finds the QtCore that this process uses. Opening it by name might
    // load a second one.
    return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, symbol));
#else
    return reinterpret_cast<Function>(QLibrary::resolve(QStringLiteral("Qt6Core"), symbol));
#endif
}

} // namespace

OwnSource::OwnSource()
    : m_snapshot(lookUp<SnapshotFunction>("qt_pool_allocator_snapshot"))
    , m_latency(lookUp<SnapshotFunction>("qt_pool_allocator_latency"))
    , m_trim(lookUp<TrimFunction>("qt_pool_allocator_trim"))
    , m_census(QCoreApplication::applicationPid())
    , m_inspector(Inspector::of(QCoreApplication::applicationPid()))
{
}

QString OwnSource::title() const
{
    return QCoreApplication::translate("OwnSource", "This program");
}

SnapshotSource::Reading OwnSource::read()
{
    if (!m_snapshot)
        return { Status::Missing, {}, {} };
    return { Status::Ready, textOf(m_snapshot, &m_snapshotRoom), {} };
}

QStringList OwnSource::command() const
{
    return QPoolStatistics::Session::commandOf(QCoreApplication::applicationPid());
}

QHash<qint64, QString> OwnSource::threadNames() const
{
    return QPoolStatistics::Session::threadNamesOf(QCoreApplication::applicationPid());
}

LatencyReading OwnSource::latency()
{
    if (!m_latency) {
        return { LatencyReading::Status::Impossible, {},
                 QCoreApplication::translate(
                         "OwnSource", "The QtCore of this program does not have the feature event_latency") };
    }
    return { LatencyReading::Status::Ready, textOf(m_latency, &m_latencyRoom), {} };
}

QByteArray OwnSource::textOf(SnapshotFunction function, qsizetype *room)
{
    QByteArray buffer(*room, Qt::Uninitialized);
    // New threads make the text longer, so one retry may not be enough. The limit stops a broken
    // allocator from requesting ever more.
    for (int attempt = 0; attempt < 8; ++attempt) {
        const std::size_t needed = function(buffer.data(), std::size_t(buffer.size()));
        if (needed < std::size_t(buffer.size())) {
            buffer.truncate(qsizetype(needed));
            return buffer;
        }
        if (needed > 64 * 1024 * 1024)
            break;
        *room = qsizetype(needed + needed / 4 + 1);
        buffer.resize(*room);
    }
    return {};
}

void OwnSource::trim()
{
    if (m_trim)
        m_trim();
}
