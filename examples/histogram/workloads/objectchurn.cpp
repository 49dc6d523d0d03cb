// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "objectchurn.h"

#include <QtCore/qqueue.h>
#include <QtCore/qthread.h>
#include <QtCore/qtimer.h>

#include <chrono>
#include <functional>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto ObjectsTick = 10ms;
constexpr Workload::Rates ObjectRates { 200, 8000, 40000 };
constexpr int ObjectPopulation = 480;
constexpr int MostDying = 1600; // four ticks of the highest rate

} // namespace

// Counts the objects whose deletion was requested and has not happened yet.
class ObjectChurn::Passenger : public QObject
{
public:
    explicit Passenger(std::atomic<int> *dying)
        : m_dying(dying)
    {
    }
    ~Passenger() override { m_dying->fetch_sub(1, std::memory_order_relaxed); }

    void dismiss()
    {
        m_dying->fetch_add(1, std::memory_order_relaxed);
        deleteLater();
    }

private:
    std::atomic<int> *m_dying;
};

// On the thread where the objects are made.
class ObjectChurn::Maker : public QObject
{
public:
    Maker(QObject *home, std::atomic<int> *dying)
        : m_home(home)
        , m_dying(dying)
        , m_timer(this)
    {
        m_timer.setInterval(ObjectsTick);
        connect(&m_timer, &QTimer::timeout, this, &Maker::make);
    }

    std::function<int()> due;
    std::function<void()> made;

    void startMaking() { m_timer.start(); }
    void stopMaking() { m_timer.stop(); }
    void dismissAll()
    {
        while (!m_population.isEmpty())
            m_population.dequeue()->dismiss();
    }

private:
    void make()
    {
        for (int i = due(); i > 0; --i) {
            if (m_dying->load(std::memory_order_relaxed) >= MostDying)
                break; // the other thread is behind: leave it this tick
            auto *passenger = new Passenger(m_dying);
            passenger->moveToThread(m_home->thread());
            m_population.enqueue(passenger);
            if (m_population.size() > ObjectPopulation)
                m_population.dequeue()->dismiss();
            made();
        }
    }

    QObject *m_home;
    std::atomic<int> *m_dying;
    QTimer m_timer;
    QQueue<Passenger *> m_population; // they live on the other thread
};

struct ObjectChurn::Run
{
    std::atomic<int> dying = 0;
    QThread makerThread;
    QThread homeThread;
    QObject home;
    Maker maker { &home, &dying };
};

ObjectChurn::ObjectChurn(QObject *parent)
    : Workload({ u"churn"_s, tr("Object churn"),
                 tr("Objects made in one thread, moved to another, and deleted later there."),
                 tr("objects") },
               ObjectRates, parent)
{
}

ObjectChurn::~ObjectChurn()
{
    stop();
}

void ObjectChurn::doStart()
{
    m_run = std::make_unique<Run>();
    Run *run = m_run.get();
    run->maker.due = [this, carry = qreal(0)]() mutable { return due(ObjectsTick, &carry); };
    run->maker.made = [this] { countOperations(); };
    run->makerThread.setObjectName("maker"_L1);
    run->homeThread.setObjectName("home"_L1);
    run->home.moveToThread(&run->homeThread);
    run->maker.moveToThread(&run->makerThread);
    run->homeThread.start();
    run->makerThread.start();
    QMetaObject::invokeMethod(&run->maker, [run] { run->maker.startMaking(); });
}

void ObjectChurn::doHold()
{
    Run *run = m_run.get();
    QMetaObject::invokeMethod(
            &run->maker, [run] { run->maker.stopMaking(); }, Qt::BlockingQueuedConnection);
    // When this call gets through, every deletion asked for is done.
    QMetaObject::invokeMethod(
            &run->home, [] {}, Qt::BlockingQueuedConnection);
}

void ObjectChurn::doStop()
{
    Run *run = m_run.get();
    QMetaObject::invokeMethod(
            &run->maker,
            [run] {
                run->maker.stopMaking();
                run->maker.dismissAll();
            },
            Qt::BlockingQueuedConnection);
    finishThread(run->makerThread, &run->maker);
    finishThread(run->homeThread, &run->home);
    m_run.reset();
}
