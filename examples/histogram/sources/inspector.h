// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef INSPECTOR_H
#define INSPECTOR_H

#include "heapreading.h"
#include "memoryreading.h"
#include "objectreading.h"

#include <memory>

// What can be found out of a process beyond its statistics. It takes long: its functions are called in a thread
// of their own, one at a time.
class Inspector
{
public:
    Inspector() = default;
    virtual ~Inspector() = default;

    virtual MemoryReading memory() = 0;

    // The QObjects of a class, by its name in the census.
    virtual ObjectReading objects(const QString &type) = 0;

    // What the samples say; with \a type only of the blocks of this class, or, if it is noClass(), of those that have none.
    virtual HeapReading heap(const QString &type = {}) = 0;

    // Switches sampling on or off in the process. Returns why that failed, or nothing.
    virtual QString setSampled(bool sampled) = 0;

    // As the census calls blocks that do not begin with a vtable.
    static QString noClass() { return QStringLiteral("(no class)"); }

    // The inspector of a process; on systems where none can be inspected, one that says so.
    static std::shared_ptr<Inspector> of(qint64 pid);

private:
    Q_DISABLE_COPY_MOVE(Inspector)
};

#endif // INSPECTOR_H
