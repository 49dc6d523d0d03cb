// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include <qpoolstatisticssnapshot.h>

// The window's data is that of the statistics, which all programs share; here it goes by short names.
using QPoolStatistics::ArenaStatistics;
using QPoolStatistics::Domain;
using QPoolStatistics::DomainCount;
using QPoolStatistics::SizeClassStatistics;
using QPoolStatistics::Snapshot;

#endif // SNAPSHOT_H
