// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSTAKER_H
#define CENSUSTAKER_H

#include "classcensus.h"

#include <memory>

namespace QPool {
class CensusReader;
}

// Counts the live objects of a process by class. It remembers the classes of modules that the process
// unloads between two counts.
class CensusTaker
{
public:
    explicit CensusTaker(qint64 pid);
    ~CensusTaker();

    ClassCensus take();

private:
    const qint64 m_pid;
    std::unique_ptr<QPool::CensusReader> m_reader;
};

#endif // CENSUSTAKER_H
