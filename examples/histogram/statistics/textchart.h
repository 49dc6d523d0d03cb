// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TEXTCHART_H
#define TEXTCHART_H

#include "snapshot.h"

#include <QtCore/qstring.h>

// The histograms as text for terminals and logs, at most 80 columns wide.
QString textChart(const Snapshot &snapshot);

#endif // TEXTCHART_H
