// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef EXPORT_H
#define EXPORT_H

#include "listscreen.h"

#include <QtCore/qbytearray.h>

// Figures as other programs read them: JSON on one line, in the form of
// qt_pool_allocator_snapshot() for a process, with its object caches; CSV as the statistics have it.
namespace Export {

QByteArray json(const QPool::ProcessStatistics &figures, const QPool::CacheListing &caches);
QByteArray json(const ProcessList &processes);

QByteArray csvHeading();
// \a now is in milliseconds since 1970.
QByteArray csv(const QPool::ProcessStatistics &figures, qint64 now);
QByteArray csv(const ProcessList &processes); // with its heading

} // namespace Export

#endif // EXPORT_H
