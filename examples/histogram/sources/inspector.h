// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef INSPECTOR_H
#define INSPECTOR_H

#include "memoryreading.h"

#include <memory>

// What can be found out of a process beyond its statistics. It takes long: its functions are called in a thread
// of their own, one at a time.
class Inspector
{
public:
    Inspector() = default;
    virtual ~Inspector() = default;

    virtual MemoryReading memory() = 0;

    // The inspector of a process; on systems where none can be inspected, one that says so.
    static std::shared_ptr<Inspector> of(qint64 pid);

private:
    Q_DISABLE_COPY_MOVE(Inspector)
};

#endif // INSPECTOR_H
