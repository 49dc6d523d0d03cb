// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEAPTAKER_H
#define HEAPTAKER_H

#include "heapreading.h"

#include <memory>

// Reads the samples of a process's heap, and finds the names of the code. It keeps the names for the next reading.
class HeapTaker
{
public:
    explicit HeapTaker(qint64 pid);
    ~HeapTaker();

    HeapReading take(const QString &type);
    QString setSampled(bool sampled);

private:
    class Process;

    const qint64 m_pid;
    std::unique_ptr<Process> m_process;
};

#endif // HEAPTAKER_H
