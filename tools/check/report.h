// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef REPORT_H
#define REPORT_H

#include "judgement.h"

#include <QtCore/qbytearray.h>

// For a person: a line for the file, and one for each thing that is wrong with it.
QByteArray textReport(const Judgement &judgement);

// For a program: an object with "version" and an array of "files".
QByteArray jsonReport(const QList<Judgement> &judgements);

#endif // REPORT_H
