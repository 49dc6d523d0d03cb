// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "queuedsignals.h"

#include <QtCore/qthread.h>
#include <QtCore/qtimer.h>

#include <chrono>
#include <functional>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto CallsTick = 10ms;
constexpr Workload::Rates CallRates { 500, 12000, 60000 };
constexpr int MostInFlight = 2400; // four ticks of the highest rate

} // namespace

class SignalSender : public QObject
{
    Q_OBJECT

public:
    SignalSender(std::function<int()> due, std::atomic<int> *inFlight)
        : m_timer(this)
        , m_due(std::move(due))
        , m_inFlight(inFlight)
    {
        m_timer.setInterval(CallsTick);
        connect(&m_timer, &QTimer::timeout, this, &SignalSender::send);
    }

    void startSending() { m_timer.start(); }
    void stopSending() { m_timer.stop(); }

Q_SIGNALS:
    void called(int number);
    void calledWith(int number, const QString &text);

private:
    void send()
    {
        const int calls = m_due();
        for (int i = 0; i < calls; ++i) {
            if (m_inFlight->load(std::memory_order_relaxed) >= MostInFlight)
                return; // the receiver is behind: send no more in this tick
            m_inFlight->fetch_add(1, std::memory_order_relaxed);
            if (i % 2)
                Q_EMIT called(i);
            else
                Q_EMIT calledWith(i, u"a queued call"_s);
        }
    }

    QTimer m_timer;
    std::function<int()> m_due;
    std::atomic<int> *m_inFlight;
};

struct QueuedSignals::Run
{
    explicit Run(std::function<int()> due)
        : sender(std::move(due), &inFlight)
    {
    }

    std::atomic<int> inFlight = 0;
    QThread senderThread;
    QThread receiverThread;
    SignalSender sender;
    QObject receiver;
};

QueuedSignals::QueuedSignals(QObject *parent)
    : Workload(
            { u"queued"_s, tr("Queued calls"),
              tr("One thread calls a function in another. Each call is an event, allocated by the first "
                 "thread and freed by the second."),
              tr("calls") },
            CallRates, parent)
{
}

QueuedSignals::~QueuedSignals()
{
    stop();
}

void QueuedSignals::doStart()
{
    m_run = std::make_unique<Run>([this, carry = qreal(0)]() mutable { return due(CallsTick, &carry); });
    Run *run = m_run.get();
    const auto receive = [this, run] {
        run->inFlight.fetch_sub(1, std::memory_order_relaxed);
        countOperations();
    };
    connect(&run->sender, &SignalSender::called, &run->receiver, receive, Qt::QueuedConnection);
    connect(&run->sender, &SignalSender::calledWith, &run->receiver, receive, Qt::QueuedConnection);

    run->senderThread.setObjectName("sender"_L1);
    run->receiverThread.setObjectName("receiver"_L1);
    run->sender.moveToThread(&run->senderThread);
    run->receiver.moveToThread(&run->receiverThread);
    run->receiverThread.start();
    run->senderThread.start();
    QMetaObject::invokeMethod(&run->sender, [run] { run->sender.startSending(); });
}

void QueuedSignals::doHold()
{
    Run *run = m_run.get();
    QMetaObject::invokeMethod(
            &run->sender, [run] { run->sender.stopSending(); }, Qt::BlockingQueuedConnection);
    // When this call returns, all earlier calls have been delivered.
    QMetaObject::invokeMethod(
            &run->receiver, [] {}, Qt::BlockingQueuedConnection);
}

void QueuedSignals::doStop()
{
    Run *run = m_run.get();
    QMetaObject::invokeMethod(
            &run->sender, [run] { run->sender.stopSending(); }, Qt::BlockingQueuedConnection);
    finishThread(run->senderThread, &run->sender);
    finishThread(run->receiverThread, &run->receiver);
    m_run.reset();
}

#include "queuedsignals.moc"
