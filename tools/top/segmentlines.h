// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SEGMENTLINES_H
#define SEGMENTLINES_H

#include "screenline.h"

#include "sharedmemory/qpoolsharedsegment.h"

#include <vector>

using SegmentList = std::vector<QPool::SharedListing>;

// The segments of shared memory below a heading; empty if there are none. At most \a room lines unless it
// is negative; the last line then counts the segments that do not fit.
ScreenLines segmentLines(const SegmentList &segments, const ScreenForm &form, qsizetype room = -1);

#endif // SEGMENTLINES_H
