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
constexpr int MostThreads = 8; // at a time
constexpr int ThreadsPerRound = 16;
constexpr int LettersPerThread = 48; // of each kind

} // namespace

// The busy thread. In rounds: it waits while a number of threads come, post and
// go; then it is let off, delivers what piled up, and waits again. Between two
// rounds there is always one wait() among its events, so what is posted during
// a round stays undelivered, and no more than a round piles up.
struct EndingThreads::Mailbox
{
    QThread thread;
    QObject receiver;
    QSemaphore waiting; // released by the thread when it begins to wait
    QSemaphore letOff; // acquired by the thread when it goes on
    bool isWaiting = false;
    int threadsThisRound = 0;

    void postWait()
    {
        QMetaObject::invokeMethod(
                &receiver,
                [this] {
                    waiting.release();
                    letOff.acquire();
                },
                Qt::QueuedConnection);
    }
};

EndingThreads::EndingThreads(QObject *parent)
    : Workload({ u"threads"_s, tr("Thread churn"),
                 tr("Threads that post events and end before these are delivered. Their arenas are "
                    "orphaned, and adopted by the next threads."),
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
    // Neither a slow delivery nor threads that are slow to end may pile up.
    int wanted = qMin(due(ThreadsTick, &m_carry), MostThreads - int(m_threads.size()));
    if (!mailboxIsWaiting() || wanted <= 0)
        return;
    if (m_mailbox->threadsThisRound >= ThreadsPerRound) {
        m_mailbox->threadsThisRound = 0;
        m_mailbox->isWaiting = false;
        m_mailbox->postWait();
        m_mailbox->letOff.release();
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
    // waitForThreads() may have been quicker than the signal.
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
    // Just after a round no orphaned arena would be visible.
    if (m_mailbox->threadsThisRound == 0) {
        startThread();
        waitForThreads();
    }
}

void EndingThreads::doStop()
{
    m_timer.stop();
    waitForThreads();
    m_mailbox->letOff.release();
    finishThread(m_mailbox->thread, &m_mailbox->receiver);
    m_mailbox.reset();
}
