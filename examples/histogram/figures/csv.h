// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CSV_H
#define CSV_H

#include <QtCore/qbytearray.h>

struct Snapshot;

// The figures as one table for a spreadsheet: a row a size class in use, then a
// row an arena. Cells that do not apply are empty.
QByteArray toCsv(const Snapshot &snapshot);

#endif // CSV_H
