// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SHAREDSEGMENTS_H
#define SHAREDSEGMENTS_H

#include "segmentfinder.h"

// The segments of this machine; none on systems that cannot list them.
class SharedSegments : public SegmentFinder
{
public:
    QList<ListedSegment> find() override;
};

#endif // SHAREDSEGMENTS_H
