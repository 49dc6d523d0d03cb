// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "workload.h"

#include <QtCore/qthread.h>

void Workload::setRunning(bool running)
{
    if (running)
        start();
    else
        stop();
}

void Workload::start()
{
    if (m_state == Running)
        return;
    const bool held = m_state == Held;
    if (held)
        doStop();
    m_state = Running;
    doStart();
    if (!held)
        Q_EMIT runningChanged();
}

void Workload::hold()
{
    if (m_state != Running)
        return;
    m_state = Held;
    doHold();
}

void Workload::stop()
{
    if (m_state == Stopped)
        return;
    m_state = Stopped;
    doStop();
    Q_EMIT runningChanged();
    refresh();
}

void Workload::refresh()
{
    const qint64 operations = this->operations();
    if (m_shownOperations == operations)
        return;
    m_shownOperations = operations;
    Q_EMIT operationsChanged();
}

void Workload::finishThread(QThread &thread, QObject *objectInThread)
{
    // Posted events are delivered in order, so this one comes last.
    QMetaObject::invokeMethod(
            objectInThread, [&thread] { thread.quit(); }, Qt::QueuedConnection);
    thread.wait();
}
