// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef QUEUEDSIGNALS_H
#define QUEUEDSIGNALS_H

#include "workload.h"

#include <memory>

// One thread emits signals that another receives: each call is an event that QtCore allocates in the
// first thread and frees in the second.
class QueuedSignals : public Workload
{
    Q_OBJECT

public:
    explicit QueuedSignals(QObject *parent = nullptr);
    ~QueuedSignals() override;

protected:
    void doStart() override;
    void doHold() override;
    void doStop() override;

private:
    struct Run;
    std::unique_ptr<Run> m_run;
};

#endif // QUEUEDSIGNALS_H
