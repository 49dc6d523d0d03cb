// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "shorttimers.h"

#include <QtCore/qsemaphore.h>
#include <QtCore/qthread.h>
#include <QtCore/qtimer.h>

#include <atomic>
#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto TimersTick = 10ms;
constexpr Workload::Rates TimerRates { 50, 1500, 10000 };
constexpr auto TimerLife = 150ms;
constexpr int MostPendingTimers = 2000; // slightly more than the highest rate starts in TimerLife

} // namespace

struct ShortTimers::Run
{
    QThread thread;
    QObject receiver; // the receiver of the timers
    QTimer ticker { &receiver };
    int pending = 0; // used by that thread only
    qreal carry = 0;
    std::atomic<bool> ending { false }; // timers that fire now are not counted
    QSemaphore waiting; // released by the thread before it waits
    QSemaphore resume; // acquired by the thread before it continues
};

ShortTimers::ShortTimers(QObject *parent)
    : Workload({ u"timers"_s, tr("Timers"),
                 tr("Single-shot timers of 150 ms. Each is an object with a private part and an event."),
                 tr("timers") },
               TimerRates, parent)
{
}

ShortTimers::~ShortTimers()
{
    stop();
}

void ShortTimers::doStart()
{
    m_run = std::make_unique<Run>();
    Run *run = m_run.get();
    run->ticker.setInterval(TimersTick);
    connect(&run->ticker, &QTimer::timeout, &run->receiver, [this, run] {
        for (int i = due(TimersTick, &run->carry); i > 0 && run->pending < MostPendingTimers; --i) {
            ++run->pending;
            QTimer::singleShot(TimerLife, &run->receiver, [this, run] {
                --run->pending;
                if (!run->ending)
                    countOperations();
            });
        }
    });
    run->thread.setObjectName("timers"_L1);
    run->receiver.moveToThread(&run->thread);
    run->thread.start();
    QMetaObject::invokeMethod(&run->receiver, [run] { run->ticker.start(); });
}

void ShortTimers::doHold()
{
    Run *run = m_run.get();
    // Pending timers stay pending while their thread waits.
    QMetaObject::invokeMethod(
            &run->receiver,
            [run] {
                run->ticker.stop();
                run->waiting.release();
                run->resume.acquire();
            },
            Qt::QueuedConnection);
    run->waiting.acquire();
}

void ShortTimers::doStop()
{
    Run *run = m_run.get();
    run->ending = true;
    run->resume.release(); // ends the wait of doHold(), if any
    QMetaObject::invokeMethod(
            &run->receiver, [run] { run->ticker.stop(); }, Qt::BlockingQueuedConnection);
    finishThread(run->thread, &run->receiver);
    m_run.reset();
}
