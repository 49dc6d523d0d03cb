// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef OBJECTTAKER_H
#define OBJECTTAKER_H

#include "objectreading.h"

#include <memory>

namespace QPool {
class CensusReader;
}

// Finds the objects of a class in a process, and who holds them.
class ObjectTaker
{
public:
    explicit ObjectTaker(qint64 pid);
    ~ObjectTaker();

    ObjectReading take(const QString &type);

private:
    const qint64 m_pid;
    std::unique_ptr<QPool::CensusReader> m_reader;
};

#endif // OBJECTTAKER_H
