// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "latencystatistics.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QElapsedTimer>
#include <QtCore/QEvent>
#include <QtCore/QSemaphore>
#include <QtCore/QThread>
#include <QtCore/QTimer>
#include <QtTest/QTest>

#include <sys/syscall.h>
#include <sys/wait.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

// The records of posted events: one for each event, in the right row, whatever becomes of it.
class tst_EventLatency : public QObject
{
    Q_OBJECT

private slots:
    void jsonHasEveryMember();
    void leavesTooSmallBuffersAlone();
    void recordsEachDelivery();
    void recordsQueuedCalls();
    void namesSlotsAndSignals_data();
    void namesSlotsAndSignals();
    void namesTheSignalOfARemovedCall();
    void tellsCallsApart();
    void directCallsAreNotRecorded();
    void measuresHowLongAnEventWaits();
    void measuresHowLongAHandlerRuns();
    void keepsTheOrderOfPriorities();
    void countsNestedTimeInBothHandlers();
    void recordsAHandlerThatThrows();
    void countsRemovedEvents();
    void countsEventsOfDeadReceivers();
    void namesDeadReceiversOnceTheirClassIsSeen();
    void namesExportedClassesNeverSeen();
    void countsCompressedEvents();
    void countsDeferredDeletesAsDelivered();
    void tellsEventsAtOneAddressApart();
    void recordsInTheReceiversThread();
    void countsMovedEventsInTheirNewThread();
    void keepsTheRowsOfAnEndedThread();
    void addsUpThreadsThatEndedLongAgo();
    void countsDeathsAfterTheThreadEnded();
    void countsEveryEventOfManyThreads();
    void waitingIsUnfinished();
    void countsWhatIsUnfinishedByThread();
    void canBeQueriedWithinAHandler();
    void childOfForkRecordsNothing();
};

namespace {

qint64 threadNumber()
{
    return syscall(SYS_gettid);
}

void post(QObject *receiver, int count = 1, int type = QEvent::User)
{
    for (int i = 0; i < count; ++i)
        QCoreApplication::postEvent(receiver, new QEvent(QEvent::Type(type)));
}

void spin(qint64 nanoseconds)
{
    QElapsedTimer timer;
    timer.start();
    while (timer.nsecsElapsed() < nanoseconds) { }
}

} // namespace

// One class per test, so that each has its own rows.
class Delivered : public QObject
{
    Q_OBJECT
};
class Called : public QObject
{
    Q_OBJECT
};
class Sender : public QObject
{
    Q_OBJECT
Q_SIGNALS:
    void changed(int value);
};
class SlotsBase : public QObject
{
    Q_OBJECT
public Q_SLOTS:
    void inherited() { }
    virtual void virtually(int) { }
};
class Slots : public SlotsBase
{
    Q_OBJECT
public Q_SLOTS:
    void take(int) { }
public:
    void plain(int) { }
};
class RemovedCalls : public Slots
{
    Q_OBJECT
};
class ApartCalls : public Slots
{
    Q_OBJECT
};
class Direct : public QObject
{
    Q_OBJECT
};
class Late : public QObject
{
    Q_OBJECT
};
class Ancient : public QObject
{
    Q_OBJECT
};
class Slow : public QObject
{
    Q_OBJECT
public:
    bool event(QEvent *) override
    {
        spin(2'000'000);
        return true;
    }
};
class Ordered : public QObject
{
    Q_OBJECT
public:
    QList<int> seen;
    bool event(QEvent *event) override
    {
        seen.append(event->type());
        return true;
    }
};
class Outer : public QObject
{
    Q_OBJECT
public:
    QObject *inner = nullptr;
    bool event(QEvent *) override
    {
        post(inner);
        QCoreApplication::sendPostedEvents(inner);
        return true;
    }
};
class Inner : public Slow
{
    Q_OBJECT
};
class Throwing : public QObject
{
    Q_OBJECT
public:
    bool event(QEvent *) override { throw std::runtime_error("thrown"); }
};
class Removed : public QObject
{
    Q_OBJECT
};
class Dying : public QObject
{
    Q_OBJECT
};
class DyingEarly : public QObject
{
    Q_OBJECT
};
class Compressed : public QObject
{
    Q_OBJECT
};
class Deferred : public QObject
{
    Q_OBJECT
};
class Reused : public QObject
{
    Q_OBJECT
};
class Distant : public QObject
{
    Q_OBJECT
};
class Moved : public QObject
{
    Q_OBJECT
};
class Ended : public QObject
{
    Q_OBJECT
};
class Orphaned : public QObject
{
    Q_OBJECT
};
class Crowded : public QObject
{
    Q_OBJECT
};
class Waiting : public QObject
{
    Q_OBJECT
};
class Asking : public QObject
{
    Q_OBJECT
public:
    LatencyStatistics seen;
    bool event(QEvent *) override
    {
        seen = LatencyStatistics::take();
        return true;
    }
};

void tst_EventLatency::jsonHasEveryMember()
{
    Delivered receiver;
    post(&receiver);
    QCoreApplication::sendPostedEvents(&receiver);
    const LatencyStatistics statistics = LatencyStatistics::take();
    const QJsonObject &object = statistics.object();
    QCOMPARE(object.value("version").toInt(), 1);
    QCOMPARE(object.value("pid").toInteger(), qint64(getpid()));
    QCOMPARE(object.value("qt").toString(), QLatin1String(qVersion()));
    QVERIFY(statistics.isOn());
    QVERIFY(object.value("clock").isString());
    QCOMPARE(object.value("dropped").toInteger(-1), 0);
    QVERIFY(object.value("unfinished").isDouble());
    QVERIFY(!object.value("threads").toArray().isEmpty());
    const QJsonObject event = statistics.events("Delivered").value(0);
    for (const char *member : { "number", "thread", "delivered", "removed", "receiverDied",
                                "compressed", "lost" })
        QVERIFY2(event.value(QLatin1String(member)).isDouble(), member);
    for (const char *part : { "wait", "run" }) {
        const QJsonObject times = event.value(QLatin1String(part)).toObject();
        for (const char *member : { "count", "total", "p50", "p99", "worst" })
            QVERIFY2(times.value(QLatin1String(member)).isDouble(), member);
        QVERIFY(times.value("histogram").isArray());
    }
}

void tst_EventLatency::leavesTooSmallBuffersAlone()
{
    const std::size_t length = qt_pool_allocator_latency(nullptr, 0);
    QVERIFY(length > 0);
    char small[8] = "before";
    QVERIFY(qt_pool_allocator_latency(small, sizeof(small)) >= sizeof(small));
    QCOMPARE(QByteArray(small), QByteArray("before"));
}

void tst_EventLatency::recordsEachDelivery()
{
    Delivered receiver;
    const qint64 before = LatencyStatistics::take().sum("delivered", "Delivered");
    post(&receiver, 100);
    QCoreApplication::sendPostedEvents(&receiver);
    const LatencyStatistics statistics = LatencyStatistics::take();
    const QList<QJsonObject> rows = statistics.events("Delivered");
    QCOMPARE(rows.size(), 1);
    const QJsonObject &row = rows.first();
    QCOMPARE(row.value("type").toString(), QStringLiteral("User+0"));
    QCOMPARE(row.value("number").toInt(), int(QEvent::User));
    QCOMPARE(row.value("thread").toInteger(), threadNumber());
    QCOMPARE(row.value("delivered").toInteger(), before + 100);
    for (const char *member : { "removed", "receiverDied", "compressed", "lost" })
        QCOMPARE(row.value(QLatin1String(member)).toInteger(), 0);
    for (const char *part : { "wait", "run" }) {
        const QJsonObject times = row.value(QLatin1String(part)).toObject();
        QCOMPARE(times.value("count").toInteger(), before + 100);
        const qint64 p50 = times.value("p50").toInteger(), p99 = times.value("p99").toInteger(),
                     worst = times.value("worst").toInteger();
        QVERIFY(p50 <= p99 && p99 <= worst);
        QVERIFY(times.value("total").toInteger() >= worst);
        qint64 sum = 0, least = -1;
        const QJsonArray histogram = times.value("histogram").toArray();
        for (const QJsonValue &bucket : histogram) {
            QVERIFY(bucket[0].toInteger() > least);
            least = bucket[0].toInteger();
            sum += bucket[1].toInteger();
        }
        QCOMPARE(sum, before + 100);
        QVERIFY(least <= worst);
    }
}

void tst_EventLatency::recordsQueuedCalls()
{
    Called receiver;
    int calls = 0;
    for (int i = 0; i < 10; ++i)
        QMetaObject::invokeMethod(&receiver, [&] { ++calls; }, Qt::QueuedConnection);
    QCoreApplication::sendPostedEvents(&receiver);
    QCOMPARE(calls, 10);
    QCOMPARE(LatencyStatistics::take().sum("delivered", "Called", "MetaCall"), 10);
}

using Connect = std::function<void(Sender *, Slots *)>;
Q_DECLARE_METATYPE(Connect)

void tst_EventLatency::namesSlotsAndSignals_data()
{
    QTest::addColumn<Connect>("connection");
    QTest::addColumn<QString>("slot"); // a part of its name

    QTest::newRow("by name") << Connect([](Sender *sender, Slots *receiver) {
        QObject::connect(sender, SIGNAL(changed(int)), receiver, SLOT(take(int)), Qt::QueuedConnection);
    }) << "=Slots::take(int)";
    QTest::newRow("by name, inherited") << Connect([](Sender *sender, Slots *receiver) {
        QObject::connect(sender, SIGNAL(changed(int)), receiver, SLOT(inherited()), Qt::QueuedConnection);
    }) << "=SlotsBase::inherited()";
    QTest::newRow("member function") << Connect([](Sender *sender, Slots *receiver) {
        QObject::connect(sender, &Sender::changed, receiver, &Slots::plain, Qt::QueuedConnection);
    }) << "=Slots::plain(int)";
    QTest::newRow("virtual function") << Connect([](Sender *sender, Slots *receiver) {
        QObject::connect(sender, &Sender::changed, receiver, &SlotsBase::virtually, Qt::QueuedConnection);
    }) << "void (SlotsBase::*)(int)";
    QTest::newRow("exported function") << Connect([](Sender *sender, Slots *receiver) {
        QObject::connect(sender, &Sender::changed, receiver, &QObject::dumpObjectTree, Qt::QueuedConnection);
    }) << "=QObject::dumpObjectTree() const";
    QTest::newRow("lambda") << Connect([](Sender *sender, Slots *receiver) {
        QObject::connect(sender, &Sender::changed, receiver, [] { }, Qt::QueuedConnection);
    }) << "tst_EventLatency::namesSlotsAndSignals_data()::";
}

void tst_EventLatency::namesSlotsAndSignals()
{
    QFETCH(Connect, connection);
    QFETCH(QString, slot);
    const auto calls = [&] {
        qint64 result = 0;
        const QList<QJsonObject> rows = LatencyStatistics::take().events("Slots", "MetaCall");
        for (const QJsonObject &row : rows) {
            const QString name = row.value("slot").toString();
            const bool fits = slot.startsWith(u'=') ? name == slot.mid(1) : name.contains(slot);
            if (fits && row.value("signal") == "Sender::changed(int)")
                result += row.value("delivered").toInteger();
        }
        return result;
    };
    const qint64 before = calls();
    Sender sender;
    Slots receiver;
    connection(&sender, &receiver);
    for (int i = 0; i < 3; ++i)
        Q_EMIT sender.changed(i);
    QCoreApplication::sendPostedEvents(&receiver);
    QCOMPARE(calls(), before + 3);
}

void tst_EventLatency::namesTheSignalOfARemovedCall()
{
    Sender sender;
    {
        RemovedCalls receiver;
        QObject::connect(&sender, &Sender::changed, &receiver, &Slots::plain, Qt::QueuedConnection);
        Q_EMIT sender.changed(1);
        Q_EMIT sender.changed(2);
        QCoreApplication::sendPostedEvents(&receiver);
        Q_EMIT sender.changed(3);
    }
    const QList<QJsonObject> rows = LatencyStatistics::take().events("RemovedCalls", "MetaCall");
    QCOMPARE(rows.size(), 2);
    for (const QJsonObject &row : rows) {
        QCOMPARE(row.value("signal"), "Sender::changed(int)");
        QCOMPARE(row.value("delivered").toInteger(), row.contains("slot") ? 2 : 0);
        QCOMPARE(row.value("receiverDied").toInteger(), row.contains("slot") ? 0 : 1);
    }
}

void tst_EventLatency::tellsCallsApart()
{
    ApartCalls receiver;
    QMetaObject::invokeMethod(&receiver, "take", Qt::QueuedConnection, Q_ARG(int, 1));
    QMetaObject::invokeMethod(&receiver, "inherited", Qt::QueuedConnection);
    QMetaObject::invokeMethod(&receiver, "inherited", Qt::QueuedConnection);
    QCoreApplication::sendPostedEvents(&receiver);
    QMap<QString, qint64> delivered;
    const QList<QJsonObject> rows = LatencyStatistics::take().events("ApartCalls", "MetaCall");
    for (const QJsonObject &row : rows) {
        delivered[row.value("slot").toString()] += row.value("delivered").toInteger();
        QVERIFY(!row.contains("signal"));
    }
    QCOMPARE(delivered, (QMap<QString, qint64> { { "Slots::take(int)", 1 }, { "SlotsBase::inherited()", 2 } }));
}

void tst_EventLatency::directCallsAreNotRecorded()
{
    Direct receiver;
    QEvent event(QEvent::User);
    QCoreApplication::sendEvent(&receiver, &event);
    QVERIFY(LatencyStatistics::take().events("Direct").isEmpty());
}

void tst_EventLatency::measuresHowLongAnEventWaits()
{
    Late receiver;
    post(&receiver);
    spin(3'000'000);
    QCoreApplication::sendPostedEvents(&receiver);
    const QJsonObject row = LatencyStatistics::take().events("Late").value(0);
    QVERIFY(row.value("wait").toObject().value("worst").toInteger() >= 2'990'000);
}

void tst_EventLatency::measuresHowLongAHandlerRuns()
{
    Slow receiver;
    post(&receiver, 3);
    QCoreApplication::sendPostedEvents(&receiver);
    const QJsonObject run =
            LatencyStatistics::take().events("Slow").value(0).value("run").toObject();
    QVERIFY(run.value("worst").toInteger() >= 1'990'000);
    QVERIFY(run.value("total").toInteger() >= 3 * 1'990'000);
    QVERIFY(run.value("p50").toInteger() >= 1'990'000);
}

// Recording changes nothing of the order.
void tst_EventLatency::keepsTheOrderOfPriorities()
{
    Ordered receiver;
    QCoreApplication::postEvent(&receiver, new QEvent(QEvent::Type(QEvent::User + 1)),
                                Qt::LowEventPriority);
    QCoreApplication::postEvent(&receiver, new QEvent(QEvent::Type(QEvent::User + 2)));
    QCoreApplication::postEvent(&receiver, new QEvent(QEvent::Type(QEvent::User + 3)),
                                Qt::HighEventPriority);
    QCoreApplication::sendPostedEvents(&receiver);
    QCOMPARE(receiver.seen, QList<int>({ QEvent::User + 3, QEvent::User + 2, QEvent::User + 1 }));
    const LatencyStatistics statistics = LatencyStatistics::take();
    for (const char *type : { "User+1", "User+2", "User+3" })
        QCOMPARE(statistics.sum("delivered", "Ordered", type), 1);
}

void tst_EventLatency::countsNestedTimeInBothHandlers()
{
    Outer outer;
    Inner inner;
    outer.inner = &inner;
    post(&outer);
    QCoreApplication::sendPostedEvents(&outer);
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("delivered", "Outer"), 1);
    QCOMPARE(statistics.sum("delivered", "Inner"), 1);
    const auto run = [&](const char *name) {
        return statistics.events(name).first().value("run").toObject().value("worst").toInteger();
    };
    QVERIFY(run("Inner") >= 1'990'000);
    QVERIFY(run("Outer") >= run("Inner"));
}

void tst_EventLatency::recordsAHandlerThatThrows()
{
    Throwing receiver;
    post(&receiver);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, QCoreApplication::sendPostedEvents(&receiver));
    QCOMPARE(LatencyStatistics::take().sum("delivered", "Throwing"), 1);
}

void tst_EventLatency::countsRemovedEvents()
{
    Removed receiver;
    post(&receiver, 3);
    post(&receiver, 2, QEvent::User + 1);
    QCoreApplication::removePostedEvents(&receiver, QEvent::User);
    QCoreApplication::sendPostedEvents(&receiver);
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("removed", "Removed", "User+0"), 3);
    QCOMPARE(statistics.sum("delivered", "Removed", "User+0"), 0);
    QCOMPARE(statistics.sum("delivered", "Removed", "User+1"), 2);
    QCOMPARE(statistics.sum("receiverDied", "Removed"), 0);
}

void tst_EventLatency::countsEventsOfDeadReceivers()
{
    auto receiver = std::make_unique<Dying>();
    post(receiver.get());
    QCoreApplication::sendPostedEvents(receiver.get());
    post(receiver.get(), 4);
    receiver.reset();
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("delivered", "Dying"), 1);
    QCOMPARE(statistics.sum("receiverDied", "Dying"), 4);
    QCOMPARE(statistics.sum("removed", "Dying"), 0);
}

// The class has a name once one of its kind got an event.
void tst_EventLatency::namesDeadReceiversOnceTheirClassIsSeen()
{
    auto early = std::make_unique<DyingEarly>();
    post(early.get(), 4);
    early.reset();
    QCOMPARE(LatencyStatistics::take().sum("delivered", "DyingEarly"), 0);
    DyingEarly receiver;
    post(&receiver);
    QCoreApplication::sendPostedEvents(&receiver);
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("receiverDied", "DyingEarly"), 4);
    QCOMPARE(statistics.sum("delivered", "DyingEarly"), 1);
    QCOMPARE(statistics.events("DyingEarly").size(), 1);
}

// QtCore's own classes are known by its exported symbols.
void tst_EventLatency::namesExportedClassesNeverSeen()
{
    auto timer = std::make_unique<QTimer>();
    post(timer.get(), 2);
    timer.reset();
    QCOMPARE(LatencyStatistics::take().sum("receiverDied", "QTimer"), 2);
}

void tst_EventLatency::countsCompressedEvents()
{
    Compressed receiver;
    post(&receiver, 3, QEvent::Quit);
    QCoreApplication::sendPostedEvents(&receiver);
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("delivered", "Compressed", "Quit"), 1);
    QCOMPARE(statistics.sum("compressed", "Compressed", "Quit"), 2);
}

void tst_EventLatency::countsDeferredDeletesAsDelivered()
{
    auto *receiver = new Deferred;
    receiver->deleteLater();
    QCoreApplication::sendPostedEvents(receiver, QEvent::DeferredDelete);
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("delivered", "Deferred", "DeferredDelete"), 1);
    QCOMPARE(statistics.sum("receiverDied", "Deferred"), 0);
}

// An event has the address of the one before.
void tst_EventLatency::tellsEventsAtOneAddressApart()
{
    Reused receiver;
    for (int i = 0; i < 1000; ++i) {
        post(&receiver);
        if (i % 3 == 0)
            QCoreApplication::removePostedEvents(&receiver);
        else
            QCoreApplication::sendPostedEvents(&receiver);
    }
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("delivered", "Reused"), 666);
    QCOMPARE(statistics.sum("removed", "Reused"), 334);
    QCOMPARE(statistics.sum("lost", "Reused"), 0);
    const QJsonObject row = statistics.events("Reused").value(0);
    QCOMPARE(row.value("wait").toObject().value("count").toInteger(), 666);
}

// A thread with a loop.
class Worker
{
public:
    explicit Worker(const char *name)
    {
        m_thread.setObjectName(QLatin1String(name));
        m_context.moveToThread(&m_thread);
        m_thread.start();
        ask([this] { m_number = threadNumber(); });
    }
    ~Worker() { finish(); }

    QThread *thread() { return &m_thread; }
    qint64 number() const { return m_number; }

    // Events that were posted before are handled when it returns.
    void ask(const std::function<void()> &function)
    {
        QMetaObject::invokeMethod(&m_context, function, Qt::BlockingQueuedConnection);
    }

    void finish()
    {
        m_thread.quit();
        m_thread.wait();
    }

private:
    QThread m_thread;
    QObject m_context;
    qint64 m_number = 0;
};

void tst_EventLatency::recordsInTheReceiversThread()
{
    Distant receiver;
    Worker worker("a worker");
    receiver.moveToThread(worker.thread());
    const qint64 posted =
            LatencyStatistics::take().thread(threadNumber()).value("posted").toInteger();
    post(&receiver, 50);
    worker.ask([] { });
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.events("Distant").size(), 1);
    const QJsonObject row = statistics.events("Distant", nullptr, worker.number()).value(0);
    QCOMPARE(row.value("delivered").toInteger(), 50);
    QCOMPARE(row.value("wait").toObject().value("count").toInteger(), 50);
    const QJsonObject thread = statistics.thread(worker.number());
    QCOMPARE(thread.value("name").toString(), QStringLiteral("a worker"));
    QCOMPARE(thread.value("ended").toBool(true), false);
    QVERIFY(thread.value("delivered").toInteger() >= 50);
    QVERIFY(statistics.thread(threadNumber()).value("posted").toInteger() >= posted + 50);
}

// It waits since it was posted, wherever it went meanwhile.
void tst_EventLatency::countsMovedEventsInTheirNewThread()
{
    Moved receiver;
    Worker worker("new home");
    post(&receiver, 7);
    receiver.moveToThread(worker.thread());
    worker.ask([] { });
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.events("Moved").size(), 1);
    const QJsonObject row = statistics.events("Moved", nullptr, worker.number()).value(0);
    QCOMPARE(row.value("delivered").toInteger(), 7);
    QCOMPARE(row.value("wait").toObject().value("count").toInteger(), 7);
}

void tst_EventLatency::keepsTheRowsOfAnEndedThread()
{
    Ended receiver;
    qint64 number = 0;
    // wait() of a QThread returns when its handlers have ended; this waits for the whole thread.
    std::thread([&] {
        number = threadNumber();
        Ended own;
        post(&receiver, 3);
        post(&own, 5);
        QCoreApplication::sendPostedEvents(&own);
    }).join();
    QCoreApplication::sendPostedEvents(&receiver);
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.events("Ended", nullptr, number).value(0).value("delivered").toInteger(),
             5);
    QCOMPARE(statistics.events("Ended", nullptr, threadNumber())
                     .value(0)
                     .value("delivered")
                     .toInteger(),
             3);
    const QJsonObject thread = statistics.thread(number);
    QCOMPARE(thread.value("ended").toBool(), true);
    QCOMPARE(thread.value("posted").toInteger(), 8);
    QCOMPARE(thread.value("delivered").toInteger(), 5);
}

// Its thread's list outlives the thread, and no thread delivers its events.
void tst_EventLatency::countsDeathsAfterTheThreadEnded()
{
    Orphaned seen;
    post(&seen);
    QCoreApplication::sendPostedEvents(&seen);
    Worker worker("leaves");
    auto receiver = std::make_unique<Orphaned>();
    receiver->moveToThread(worker.thread());
    worker.finish();
    post(receiver.get(), 6);
    QCOMPARE(LatencyStatistics::take().sum("receiverDied", "Orphaned"), 0);
    receiver.reset();
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("delivered", "Orphaned"), 1);
    QCOMPARE(statistics.sum("receiverDied", "Orphaned"), 6);
}

// Each class of each thread takes kilobytes, and a program may start threads for ever.
void tst_EventLatency::addsUpThreadsThatEndedLongAgo()
{
    constexpr int threads = 1200;
    for (int i = 0; i < threads; ++i) {
        std::thread([] {
            Ancient own;
            post(&own, 2);
            QCoreApplication::sendPostedEvents(&own);
        }).join();
    }
    const LatencyStatistics statistics = LatencyStatistics::take();
    QCOMPARE(statistics.sum("delivered", "Ancient"), 2 * threads);
    const qsizetype rows = statistics.events("Ancient").size();
    QVERIFY2(rows > 200 && rows < 600, qPrintable(QString::number(rows)));
    QVERIFY(statistics.object().value("threads").toArray().size() < 700);
    const QJsonObject others = statistics.thread(0);
    QCOMPARE(others.value("name").toString(), QStringLiteral("(other threads)"));
    QVERIFY(others.value("delivered").toInteger() >= 2 * (threads - rows));
}

// Each of eight threads posts to all the others, and to itself, while the statistics are queried.
void tst_EventLatency::countsEveryEventOfManyThreads()
{
    constexpr int Threads = 8, Each = 200;
    std::vector<std::unique_ptr<Crowded>> receivers;
    std::vector<std::unique_ptr<Worker>> workers; // end first
    for (int i = 0; i < Threads; ++i) {
        workers.push_back(std::make_unique<Worker>("one of many"));
        receivers.push_back(std::make_unique<Crowded>());
        receivers.back()->moveToThread(workers.back()->thread());
    }
    for (auto &worker : workers) {
        QMetaObject::invokeMethod(receivers[std::size_t(&worker - workers.data())].get(), [&] {
            for (int i = 0; i < Each; ++i) {
                for (auto &receiver : receivers)
                    post(receiver.get());
            }
        }, Qt::QueuedConnection);
    }
    for (int i = 0; i < 20; ++i)
        LatencyStatistics::take();
    // All have posted when each has answered once, and all is delivered when it has again.
    for (int i = 0; i < 2; ++i) {
        for (auto &worker : workers)
            worker->ask([] { });
    }
    const LatencyStatistics statistics = LatencyStatistics::take();
    const qint64 dropped = statistics.object().value("dropped").toInteger();
    QCOMPARE(dropped, 0);
    QCOMPARE(statistics.sum("delivered", "Crowded", "User+0"), Threads * Threads * Each);
    QCOMPARE(statistics.events("Crowded", "User+0").size(), Threads);
    qint64 waits = 0;
    const QList<QJsonObject> rows = statistics.events("Crowded", "User+0");
    for (const QJsonObject &row : rows)
        waits += row.value("wait").toObject().value("count").toInteger();
    QCOMPARE(waits, Threads * Threads * Each);
}

void tst_EventLatency::waitingIsUnfinished()
{
    Waiting receiver;
    const auto unfinished = [] {
        return LatencyStatistics::take().object().value("unfinished").toInteger();
    };
    const qint64 before = unfinished();
    post(&receiver, 9);
    QCOMPARE(unfinished(), before + 9);
    QVERIFY(LatencyStatistics::take().events("Waiting").isEmpty());
    QCoreApplication::sendPostedEvents(&receiver);
    QCOMPARE(unfinished(), before);
}

void tst_EventLatency::countsWhatIsUnfinishedByThread()
{
    Waiting own;
    Waiting foreign;
    Worker worker("busy");
    foreign.moveToThread(worker.thread());
    const auto unfinished = [](qint64 thread) {
        return LatencyStatistics::take().thread(thread).value("unfinished").toInteger(-1);
    };
    const qint64 before = unfinished(threadNumber());
    QVERIFY(before >= 0);
    QSemaphore holds;
    QSemaphore goesOn;
    QMetaObject::invokeMethod(&foreign, [&] {
        holds.release();
        goesOn.acquire();
    }, Qt::QueuedConnection);
    holds.acquire();
    post(&own, 5);
    post(&foreign, 7);
    QCOMPARE(unfinished(threadNumber()), before + 5);
    QCOMPARE(unfinished(worker.number()), 8); // the handler that waits, too
    goesOn.release();
    QCoreApplication::sendPostedEvents(&own);
    worker.ask([] { });
    QCOMPARE(unfinished(threadNumber()), before);
    QVERIFY(unfinished(worker.number()) <= 1); // ask() may return before its event has ended
}

// A handler may ask; its own event has not ended.
void tst_EventLatency::canBeQueriedWithinAHandler()
{
    Asking receiver;
    post(&receiver);
    QCoreApplication::sendPostedEvents(&receiver);
    QVERIFY(receiver.seen.isOn());
    QCOMPARE(receiver.seen.sum("delivered", "Asking"), 0);
    QCOMPARE(LatencyStatistics::take().sum("delivered", "Asking"), 1);
}

// It has none of the parent's threads; it says that it records nothing, and goes on.
void tst_EventLatency::childOfForkRecordsNothing()
{
    const pid_t child = fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        Delivered receiver;
        post(&receiver, 20'000);
        QCoreApplication::sendPostedEvents(&receiver);
        post(&receiver, 2);
        QCoreApplication::removePostedEvents(&receiver);
        _exit(LatencyStatistics::take().isOn() ? 1 : 0);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    QVERIFY(LatencyStatistics::take().isOn());
}

int main(int argc, char **argv)
{
    restartWith("latency", argv);
    QCoreApplication application(argc, argv);
    tst_EventLatency test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_eventlatency.moc"
