// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef LATENCYDETAILS_H
#define LATENCYDETAILS_H

#include "screenline.h"

#include <qpoollatencystatistics.h>

// The counts, times and histograms of one class, type and \a thread.
ScreenLines latencyDetails(const QPoolStatistics::EventLatency &row, const QString &thread,
                           const ScreenForm &form);

#endif // LATENCYDETAILS_H
