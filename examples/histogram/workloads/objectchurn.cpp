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
constexpr int MostPending = 1600; // four ticks of the highest rate

} // namespace

// Counts the objects whose deletion is pending.
class ObjectChurn::MovedObject : public QObject
{
public:
    explicit MovedObject(std::atomic<int> *pending)
        : m_pending(pending)
    {
    }
    ~MovedObject() override { m_pending->fetch_sub(1, std::memory_order_relaxed); }

    void requestDeletion()
    {
        m_pending->fetch_add(1, std::memory_order_relaxed);
        deleteLater();
    }

private:
    std::atomic<int> *m_pending;
};

// Lives in the thread that creates the objects.
class ObjectChurn::Creator : public QObject
{
public:
    Creator(QObject *receiver, std::atomic<int> *pending)
        : m_receiver(receiver)
        , m_pending(pending)
        , m_timer(this)
    {
        m_timer.setInterval(ObjectsTick);
        connect(&m_timer, &QTimer::timeout, this, &Creator::create);
    }

    std::function<int()> due;
    std::function<void()> created;

    void startCreating() { m_timer.start(); }
    void stopCreating() { m_timer.stop(); }
    void deleteAll()
    {
        while (!m_population.isEmpty())
            m_population.dequeue()->requestDeletion();
    }

private:
    void create()
    {
        for (int i = due(); i > 0; --i) {
            if (m_pending->load(std::memory_order_relaxed) >= MostPending)
                break; // the other thread is behind: create no more in this tick
            auto *object = new MovedObject(m_pending);
            object->moveToThread(m_receiver->thread());
            m_population.enqueue(object);
            if (m_population.size() > ObjectPopulation)
                m_population.dequeue()->requestDeletion();
            created();
        }
    }

    QObject *m_receiver;
    std::atomic<int> *m_pending;
    QTimer m_timer;
    QQueue<MovedObject *> m_population; // they live in the other thread
};

struct ObjectChurn::Run
{
    std::atomic<int> pending = 0;
    QThread creatorThread;
    QThread receiverThread;
    QObject receiver;
    Creator creator { &receiver, &pending };
};

ObjectChurn::ObjectChurn(QObject *parent)
    : Workload({ u"churn"_s, tr("Object churn"),
                 tr("One thread creates objects and moves them to another thread, which deletes "
                    "them later."),
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
    run->creator.due = [this, carry = qreal(0)]() mutable { return due(ObjectsTick, &carry); };
    run->creator.created = [this] { countOperations(); };
    run->creatorThread.setObjectName("creator"_L1);
    run->receiverThread.setObjectName("receiver"_L1);
    run->receiver.moveToThread(&run->receiverThread);
    run->creator.moveToThread(&run->creatorThread);
    run->receiverThread.start();
    run->creatorThread.start();
    QMetaObject::invokeMethod(&run->creator, [run] { run->creator.startCreating(); });
}

void ObjectChurn::doHold()
{
    Run *run = m_run.get();
    QMetaObject::invokeMethod(
            &run->creator, [run] { run->creator.stopCreating(); }, Qt::BlockingQueuedConnection);
    // When this call returns, all pending deletions are complete.
    QMetaObject::invokeMethod(
            &run->receiver, [] {}, Qt::BlockingQueuedConnection);
}

void ObjectChurn::doStop()
{
    Run *run = m_run.get();
    QMetaObject::invokeMethod(
            &run->creator,
            [run] {
                run->creator.stopCreating();
                run->creator.deleteAll();
            },
            Qt::BlockingQueuedConnection);
    finishThread(run->creatorThread, &run->creator);
    finishThread(run->receiverThread, &run->receiver);
    m_run.reset();
}
