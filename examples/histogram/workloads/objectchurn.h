// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef OBJECTCHURN_H
#define OBJECTCHURN_H

#include "workload.h"

#include <memory>

// One thread creates objects and moves them to another thread, which deletes them later: their private
// parts and the deferred-delete events of 24 bytes are allocated by the first thread and freed by the
// second. Single-shot timers add objects that QtCore itself creates.
class ObjectChurn : public Workload
{
    Q_OBJECT

public:
    explicit ObjectChurn(QObject *parent = nullptr);
    ~ObjectChurn() override;

protected:
    void doStart() override;
    void doHold() override;
    void doStop() override;

private:
    class MovedObject;
    class Creator;
    struct Run;
    std::unique_ptr<Run> m_run;
};

#endif // OBJECTCHURN_H
