// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include <qpoolsession.h>
#include <qpoolstatisticssnapshot.h>

// Short names for the data of the statistics layer, which all programs share.
using QPoolStatistics::ArenaStatistics;
using QPoolStatistics::Domain;
using QPoolStatistics::DomainCount;
using QPoolStatistics::HistoryPoint;
using QPoolStatistics::Session;
using QPoolStatistics::SizeClassStatistics;
using QPoolStatistics::Snapshot;

#endif // SNAPSHOT_H
