// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MEMORYREPORT_H
#define MEMORYREPORT_H

#include "qpoolresidentmemory.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qjsonobject.h>

#include <vector>

// Formats the memory of processes for users and for programs.
namespace MemoryReport {

// A table of the owners, and of what the process takes beyond what is resident. With \a parts also what they
// consist of, by name.
QByteArray text(const QPool::ResidentMemory &memory, bool parts);

// A line for each process.
QByteArray list(const std::vector<QPool::ResidentMemory> &processes);

QJsonObject json(const QPool::ResidentMemory &memory);

} // namespace MemoryReport

#endif // MEMORYREPORT_H
