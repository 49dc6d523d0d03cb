// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "endingthreads.h"

#include <QtCore/qsemaphore.h>
#include <QtCore/qthread.h>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto ThreadsTick = 40ms;
constexpr Workload::Rates ThreadRates { 2, 50, 200 };
constexpr int MostThreads = 8; // at the same time
constexpr int ThreadsPerRound = 16;
constexpr int LettersPerThread = 48; // of each kind

} // namespace

// The busy thread. In each round it waits while a number of threads start, post and end; then it is
// released, delivers the posted events, and waits again. Its queue always contains one wait between
// two rounds, so events posted during a round stay undelivered, and at most one round of events is
// pending.
struct EndingThreads::Mailbox
{
    QThread thread;
    QObject receiver;
    QSemaphore waiting; // released by the thread before it waits
    QSemaphore resume; // acquired by the thread before it continues
    bool isWaiting = false;
    int threadsThisRound = 0;

    void postWait()
    {
        QMetaObject::invokeMethod(
                &receiver,
                [this] {
                    waiting.release();
                    resume.acquire();
                },
                Qt::QueuedConnection);
    }
};

EndingThreads::EndingThreads(QObject *parent)
    : Workload({ u"threads"_s, tr("Thread churn"),
                 tr("Threads post events and end before the events are delivered. Their arenas are "
                    "orphaned and adopted by later threads."),
                 tr("threads") },
               ThreadRates, parent)
{
    m_timer.setInterval(ThreadsTick);
    connect(&m_timer, &QTimer::timeout, this, &EndingThreads::tick);
}

EndingThreads::~EndingThreads()
{
    stop();
}

void EndingThreads::doStart()
{
    m_mailbox = std::make_unique<Mailbox>();
    m_mailbox->thread.setObjectName("mailbox"_L1);
    m_mailbox->receiver.moveToThread(&m_mailbox->thread);
    m_mailbox->postWait();
    m_mailbox->thread.start();
    m_timer.start();
}

bool EndingThreads::mailboxIsWaiting()
{
    if (!m_mailbox->isWaiting)
        m_mailbox->isWaiting = m_mailbox->waiting.tryAcquire();
    return m_mailbox->isWaiting;
}

void EndingThreads::tick()
{
    // Limits undelivered events as well as threads that have not ended yet.
    int wanted = qMin(due(ThreadsTick, &m_carry), MostThreads - int(m_threads.size()));
    if (!mailboxIsWaiting() || wanted <= 0)
        return;
    if (m_mailbox->threadsThisRound >= ThreadsPerRound) {
        m_mailbox->threadsThisRound = 0;
        m_mailbox->isWaiting = false;
        m_mailbox->postWait();
        m_mailbox->resume.release();
        return;
    }
    for (; wanted > 0; --wanted)
        startThread();
}

void EndingThreads::startThread()
{
    Mailbox *mailbox = m_mailbox.get();
    QThread *thread = QThread::create([mailbox] {
        for (int i = 0; i < LettersPerThread; ++i) {
            QMetaObject::invokeMethod(
                    &mailbox->receiver, [] {}, Qt::QueuedConnection);
            auto *object = new QObject;
            object->moveToThread(&mailbox->thread);
            object->deleteLater();
        }
    });
    thread->setObjectName("ending"_L1);
    connect(thread, &QThread::finished, this, [this, thread] { forget(thread); });
    m_threads.append(thread);
    ++m_mailbox->threadsThisRound;
    countOperations();
    thread->start();
}

void EndingThreads::forget(QThread *thread)
{
    // waitForThreads() may have removed it before the signal arrived.
    if (!m_threads.removeOne(thread))
        return;
    thread->wait();
    delete thread;
}

void EndingThreads::waitForThreads()
{
    while (!m_threads.isEmpty())
        forget(m_threads.last());
}

void EndingThreads::doHold()
{
    m_timer.stop();
    waitForThreads();
    if (!mailboxIsWaiting()) {
        m_mailbox->waiting.acquire();
        m_mailbox->isWaiting = true;
    }
    // Directly after a round there would be no orphaned arena to show.
    if (m_mailbox->threadsThisRound == 0) {
        startThread();
        waitForThreads();
    }
}

void EndingThreads::doStop()
{
    m_timer.stop();
    waitForThreads();
    m_mailbox->resume.release();
    finishThread(m_mailbox->thread, &m_mailbox->receiver);
    m_mailbox.reset();
}
