// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef WORKER_H
#define WORKER_H

#include <QtCore/qobject.h>
#include <QtCore/qthreadpool.h>

// Does what takes time, one job after the other, in a thread of its own: the window goes on drawing.
class Worker : public QObject
{
public:
    Worker() { m_pool.setMaxThreadCount(1); }
    // Waits for the job that runs; those behind it are dropped, and so is every result.
    ~Worker() override
    {
        m_pool.clear();
        m_pool.waitForDone();
    }

    // Calls \a work in the thread, and then \a done with its result in the thread of this object.
    template <class Work, class Done>
    void start(Work work, Done done)
    {
        m_pool.start([this, work = std::move(work), done = std::move(done)]() mutable {
            auto result = work();
            QMetaObject::invokeMethod(
                    this, [done = std::move(done), result = std::move(result)]() mutable { done(result); },
                    Qt::QueuedConnection);
        });
    }

private:
    QThreadPool m_pool;
};

#endif // WORKER_H
