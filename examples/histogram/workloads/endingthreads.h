// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ENDINGTHREADS_H
#define ENDINGTHREADS_H

#include "workload.h"

#include <QtCore/qlist.h>
#include <QtCore/qtimer.h>

#include <memory>

// Threads that post events to a busy thread and end before the events are delivered. Their arenas are
// orphaned with live chunks, and later threads adopt them.
class EndingThreads : public Workload
{
    Q_OBJECT

public:
    explicit EndingThreads(QObject *parent = nullptr);
    ~EndingThreads() override;

protected:
    void doStart() override;
    void doHold() override;
    void doStop() override;

private:
    struct Mailbox;

    void tick();
    bool mailboxIsWaiting();
    void startThread();
    void forget(QThread *thread);
    void waitForThreads();

    QTimer m_timer;
    qreal m_carry = 0;
    QList<QThread *> m_threads;
    std::unique_ptr<Mailbox> m_mailbox;
};

#endif // ENDINGTHREADS_H
