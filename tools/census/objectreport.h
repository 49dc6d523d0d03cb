// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef OBJECTREPORT_H
#define OBJECTREPORT_H

#include "qpoolobjectcensus.h"

#include <QtCore/qbytearray.h>

// Formats what is known of the objects of a class, for users and for programs.
namespace ObjectReport {

QByteArray holders(const QPool::ObjectCensus &census);
QByteArray objects(const QPool::ObjectCensus &census);

// All of it, in one line.
QByteArray json(const QPool::ObjectCensus &census);

} // namespace ObjectReport

#endif // OBJECTREPORT_H
