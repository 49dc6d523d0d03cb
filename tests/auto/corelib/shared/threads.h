// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef THREADS_H
#define THREADS_H

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QCoreApplication>
#include <QtCore/QEventLoop>
#include <QtCore/QSemaphore>
#include <QtCore/QThread>

#include <atomic>
#include <functional>

#include <sys/syscall.h>
#include <unistd.h>

// The thread's waits tell it, but only if the program is compiled against the pooled QtCore.
#ifdef QPOOLOPERATORS_H
#  include <QtCore/private/qpoolidle_p.h>

// Called before this thread sleeps, when it has given back everything that it need not keep for now.
inline thread_local const std::function<void()> *beforeSleep = nullptr;

inline int giveBackAndTell()
{
    const int next = qt_pool_allocator_idle();
    if (next != 0 && beforeSleep)
        (*beforeSleep)();
    return next;
}

inline const bool tellsBeforeSleep = (QPoolIdle::giveBack = giveBackAndTell, true);
#endif

inline qint64 threadId()
{
    return qint64(syscall(SYS_gettid));
}

// Counts the user events that it gets, in whichever thread it lives.
class Receiver : public QObject
{
public:
    int received() const { return m_received.load(); }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() < QEvent::User)
            return QObject::event(event);
        ++m_received;
        return true;
    }

private:
    std::atomic<int> m_received { 0 };
};

// A thread with an event loop and an object that lives there.
class EventThread : public QThread
{
public:
    EventThread()
    {
        m_receiver.moveToThread(this);
        start();
    }

    ~EventThread() override
    {
        // wait() returns a moment before the thread has ended: what it freed for others must have
        // reached them by then.
        waitForIdle();
        quit();
        wait();
    }

    Receiver *receiver() { return &m_receiver; }

    // The id of the thread, from inside. Costs one queued call.
    qint64 id()
    {
        qint64 result = 0;
        QMetaObject::invokeMethod(&m_receiver, [&] { result = threadId(); },
                                  Qt::BlockingQueuedConnection);
        return result;
    }

    // Returns when the thread has handled everything that was posted to it, and is about to sleep. Of a
    // pooled QtCore it has then given memory back. Takes one queued call.
    void waitForIdle()
    {
        QSemaphore idle;
#ifdef QPOOLOPERATORS_H
        const std::function<void()> tell = [&] {
            beforeSleep = nullptr;
            idle.release();
        };
        auto arrange = [&] { beforeSleep = &tell; };
#else
        auto arrange = [&] {
            connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock,
                    &m_receiver, [&] { idle.release(); },
                    Qt::ConnectionType(Qt::DirectConnection | Qt::SingleShotConnection));
        };
#endif
        QMetaObject::invokeMethod(&m_receiver, arrange, Qt::QueuedConnection);
        idle.acquire();
    }

private:
    Receiver m_receiver;
};

#ifdef QPOOLOPERATORS_H
// Runs the calling thread's event loop until it has given memory back, is about to sleep, and
// \a condition holds then.
template <class Condition>
void runUntilIdle(Condition &&condition)
{
    QEventLoop loop;
    const std::function<void()> look = [&] {
        if (condition())
            loop.quit();
    };
    beforeSleep = &look;
    loop.exec();
    beforeSleep = nullptr;
}
#endif

#endif // THREADS_H
