// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "workloadset.h"

#include "endingthreads.h"
#include "objectchurn.h"
#include "queuedsignals.h"
#include "scenechurn.h"
#include "shorttimers.h"

#include <algorithm>

WorkloadSet::WorkloadSet(QObject *parent)
    : QObject(parent)
    , m_workloads { new QueuedSignals(this), new ObjectChurn(this), new EndingThreads(this),
                    new ShortTimers(this), new SceneChurn(this) }
{
    for (const Workload *workload : m_workloads)
        connect(workload, &Workload::runningChanged, this, &WorkloadSet::runningChanged);
}

WorkloadSet::~WorkloadSet()
{
    stop();
}

QStringList WorkloadSet::names()
{
    const WorkloadSet set;
    QStringList result;
    for (const Workload *workload : set.m_workloads)
        result.append(workload->name());
    return result;
}

void WorkloadSet::start(const QStringList &names)
{
    for (Workload *workload : std::as_const(m_workloads)) {
        if (names.contains(workload->name()))
            workload->start();
    }
}

bool WorkloadSet::isAnyRunning() const
{
    return std::any_of(m_workloads.cbegin(), m_workloads.cend(),
                       [](const Workload *workload) { return workload->isRunning(); });
}

void WorkloadSet::hold()
{
    for (Workload *workload : std::as_const(m_workloads))
        workload->hold();
}

void WorkloadSet::stop()
{
    for (Workload *workload : std::as_const(m_workloads))
        workload->stop();
}

void WorkloadSet::refresh()
{
    for (Workload *workload : std::as_const(m_workloads))
        workload->refresh();
}
