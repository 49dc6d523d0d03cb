// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SHORTTIMERS_H
#define SHORTTIMERS_H

#include "workload.h"

#include <memory>

// Single-shot timers: for each, QtCore creates an object with a private part, and an event when the
// timer fires.
class ShortTimers : public Workload
{
    Q_OBJECT

public:
    explicit ShortTimers(QObject *parent = nullptr);
    ~ShortTimers() override;

protected:
    void doStart() override;
    void doHold() override;
    void doStop() override;

private:
    struct Run;
    std::unique_ptr<Run> m_run;
};

#endif // SHORTTIMERS_H
