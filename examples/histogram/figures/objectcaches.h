// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef OBJECTCACHES_H
#define OBJECTCACHES_H

#include <qpoolstatisticscaches.h>

using QPoolStatistics::ObjectCacheCounts;
using QPoolStatistics::ObjectCacheFigures;
using QPoolStatistics::ObjectCacheListing;
using QPoolStatistics::ObjectCategoryFigures;

#endif // OBJECTCACHES_H
