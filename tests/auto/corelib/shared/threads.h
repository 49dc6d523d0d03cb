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

#include <sys/syscall.h>
#include <unistd.h>

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

    // Returns when the thread has handled everything that was posted to it, and has then passed the
    // point before which a dispatcher gives memory back. Takes one queued call.
    void waitForIdle()
    {
        QSemaphore idle;
        auto arrange = [&] {
            connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock,
                    &m_receiver, [&] { idle.release(); },
                    Qt::ConnectionType(Qt::DirectConnection | Qt::SingleShotConnection));
        };
        QMetaObject::invokeMethod(&m_receiver, arrange, Qt::QueuedConnection);
        idle.acquire();
    }

private:
    Receiver m_receiver;
};

// Runs the calling thread's event loop until it goes to sleep and \a condition holds then.
template <class Condition>
void runUntilIdle(Condition &&condition)
{
    QEventLoop loop;
    QObject::connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock,
                     &loop, [&] {
                         if (condition())
                             loop.quit();
                     });
    loop.exec();
}

#endif // THREADS_H
