// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef LISTSCREEN_H
#define LISTSCREEN_H

#include "screenline.h"
#include "segmentlines.h"
#include "qpoolmonitoredprocess.h"

#include <vector>

using ProcessList = std::vector<QPool::ListedProcess>;

// The processes that publish, in form.rows lines (any number if that is 0). The one with the ID
// \a selected is highlighted. \a now is in milliseconds since 1970.
ScreenLines listScreen(const ProcessList &processes, qint64 selected, const QString &notice,
                       const ScreenForm &form, qint64 now, const SegmentList &segments = {});

#endif // LISTSCREEN_H
