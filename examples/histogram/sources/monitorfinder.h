// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MONITORFINDER_H
#define MONITORFINDER_H

#include "processfinder.h"

// The processes of this machine that publish statistics.
class MonitorFinder : public ProcessFinder
{
public:
    QList<PublishedProcess> find() override;
    std::unique_ptr<SnapshotSource> open(qint64 pid) override;
};

#endif // MONITORFINDER_H
