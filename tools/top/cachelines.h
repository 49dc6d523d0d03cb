// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CACHELINES_H
#define CACHELINES_H

#include "screenline.h"

#include "qpoolcachestatistics.h"

// The object caches of a process, below a heading: a line a cache, and below it one for each of its
// categories, if it has others than its own. Nothing if there are none.
ScreenLines cacheLines(const QPool::CacheListing &listing, const ScreenForm &form);

#endif // CACHELINES_H
