// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef OBJECTCHURN_H
#define OBJECTCHURN_H

#include "workload.h"

#include <memory>

// Objects are made on one thread, live on another and are deleted later: their
// private parts and the 24-byte deferred-delete events are allocated on the
// first thread and freed on the second. Single-shot timers add objects that
// QtCore itself makes.
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
    class Passenger;
    class Maker;
    struct Run;
    std::unique_ptr<Run> m_run;
};

#endif // OBJECTCHURN_H
