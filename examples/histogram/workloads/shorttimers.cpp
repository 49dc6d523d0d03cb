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
constexpr int MostPending = 2000; // somewhat more than the highest rate has in that time

} // namespace

struct ShortTimers::Run
{
    QThread thread;
    QObject home; // what the timers are set for
    QTimer ticker { &home };
    int pending = 0; // on that thread only
    qreal carry = 0;
    std::atomic<bool> ending { false }; // what is due now is not counted any more
    QSemaphore waiting; // released by the thread when it begins to wait
    QSemaphore letOff; // acquired by the thread when it goes on
};

ShortTimers::ShortTimers(QObject *parent)
    : Workload({ u"timers"_s, tr("Timers"),
                 tr("Timers that fire once, 150 ms later. Each is an object with a private part "
                    "and an "
                    "event."),
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
    connect(&run->ticker, &QTimer::timeout, &run->home, [this, run] {
        for (int i = due(TimersTick, &run->carry); i > 0 && run->pending < MostPending; --i) {
            ++run->pending;
            QTimer::singleShot(TimerLife, &run->home, [this, run] {
                --run->pending;
                if (!run->ending)
                    countOperations();
            });
        }
    });
    run->thread.setObjectName("timers"_L1);
    run->home.moveToThread(&run->thread);
    run->thread.start();
    QMetaObject::invokeMethod(&run->home, [run] { run->ticker.start(); });
}

void ShortTimers::doHold()
{
    Run *run = m_run.get();
    // What is pending stays so while its thread waits.
    QMetaObject::invokeMethod(
            &run->home,
            [run] {
                run->ticker.stop();
                run->waiting.release();
                run->letOff.acquire();
            },
            Qt::QueuedConnection);
    run->waiting.acquire();
}

void ShortTimers::doStop()
{
    Run *run = m_run.get();
    run->ending = true;
    run->letOff.release(); // in case it is held; else nobody takes it
    QMetaObject::invokeMethod(
            &run->home, [run] { run->ticker.stop(); }, Qt::BlockingQueuedConnection);
    finishThread(run->thread, &run->home);
    m_run.reset();
}
