// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef REPORT_H
#define REPORT_H

#include "judgement.h"
#include "objectfiles.h"

#include <QtCore/qbytearray.h>

// For users: a line for the file, and one for each error.
QByteArray textReport(const Judgement &judgement);
// For object files that are linked together.
QByteArray textReport(const QList<ObjectFiles::Conflict> &conflicts);

// For programs: an object with "version", an array of "files", and one of "conflicts" of object files.
QByteArray jsonReport(const QList<Judgement> &judgements,
                      const QList<ObjectFiles::Conflict> &conflicts);

#endif // REPORT_H
