// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CACHELINES_H
#define CACHELINES_H

#include "screenline.h"

#include "qpoolcachestatistics.h"

// The object caches of a process: a heading, and one line per cache, followed by one per category if
// the cache has named categories. Empty if there are no caches.
ScreenLines cacheLines(const QPool::CacheListing &listing, const ScreenForm &form);

#endif // CACHELINES_H
