// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QSemaphore>
#include <QtCore/QThread>

#include <memory>

// The longest time to wait. A lost wake-up is never delivered by itself, so any limit detects it;
// this one is far beyond what a busy machine may take.
constexpr int BoundInSeconds = 120;

// Ends the process, with a message, if it is not destroyed within the bound.
class Watchdog
{
public:
    explicit Watchdog(const char *what)
        : m_thread(QThread::create([this, what] {
              if (!m_over.tryAcquire(1, BoundInSeconds * 1000))
                  qFatal("stuck for %d seconds: %s", BoundInSeconds, what);
          }))
    {
        m_thread->start();
    }

    ~Watchdog()
    {
        m_over.release();
        m_thread->wait();
    }

private:
    QSemaphore m_over;
    std::unique_ptr<QThread> m_thread;
};

// Runs a function in a separate thread, and waits for it at the end.
template <class Function>
class Beside
{
public:
    explicit Beside(Function function) : m_thread(QThread::create(std::move(function)))
    {
        m_thread->start();
    }
    ~Beside() { m_thread->wait(); }

private:
    std::unique_ptr<QThread> m_thread;
};

inline QAbstractEventDispatcher *dispatcher()
{
    return QAbstractEventDispatcher::instance();
}

inline bool isGlib()
{
    return QByteArray(dispatcher()->metaObject()->className()).contains("Glib");
}

#endif // WATCHDOG_H
