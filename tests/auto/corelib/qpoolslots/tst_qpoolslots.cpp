// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/threads.h"
#include "slots.h"

#include <QtCore/QTimer>

#include <memory>
#include <vector>

// The slot objects that connect() and its like make in a program compiled with the pool.
class tst_QPoolSlots : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { forgetCalls(); }

    void connectionsFreeTheirSlotObjects_data();
    void connectionsFreeTheirSlotObjects();
    void callsFreeTheirSlotObjects_data();
    void callsFreeTheirSlotObjects();
    void slotObjectOutlivesItsConnection();
    void freesSlotObjectsElsewhere();
    void queuedCallsSurviveDisconnection();
    void callsToAnotherThreadLoseNothing();

private:
    Sender m_sender;
};

namespace {

using Connect = QMetaObject::Connection (*)(Sender *);
using Call = void (*)(Sender *);

} // namespace

void tst_QPoolSlots::initTestCase()
{
    QVERIFY(snapshot().isEnabled());
    // The object's list of connections is there from now on.
    disconnect(connect(&m_sender, &Sender::sent, &m_sender, &Sender::slot));
}

void tst_QPoolSlots::connectionsFreeTheirSlotObjects_data()
{
    QTest::addColumn<Connect>("make");
    QTest::newRow("member") << Connect(
            [](Sender *sender) { return connect(sender, &Sender::sent, sender, &Sender::slot); });
    QTest::newRow("function") << Connect(
            [](Sender *sender) { return connect(sender, &Sender::sent, &slotFunction); });
    QTest::newRow("function, context") << Connect(
            [](Sender *sender) { return connect(sender, &Sender::sent, sender, &slotFunction); });
    QTest::newRow("lambda") << Connect([](Sender *sender) {
        return connect(sender, &Sender::sent, [] { ++Sender::called; });
    });
    QTest::newRow("functor") << Connect(
            [](Sender *sender) { return connect(sender, &Sender::sent, sender, Functor()); });
    QTest::newRow("single shot") << Connect([](Sender *sender) {
        return connect(sender, &Sender::sent, sender, &Sender::slot, Qt::SingleShotConnection);
    });
}

// Two chunks for each: the connection and the slot object.
void tst_QPoolSlots::connectionsFreeTheirSlotObjects()
{
    QFETCH(Connect, make);
    ClassStatistics before = privates();
    QMetaObject::Connection connection = make(&m_sender);
    QVERIFY(connection);
    QCOMPARE(privates() - before, live(2));
    emit m_sender.sent();
    QCOMPARE(Sender::called, 1);
    disconnect(connection);
    connection = {};
    emit m_sender.sent(); // which is when a disconnected one is let go of at the latest
    QCOMPARE(Sender::called, 1);
    QCOMPARE(privates() - before, madeAndFreed(2));

    // The other ways in which a connection ends: its sender, then its receiver goes.
    for (int way = 0; way < 2; ++way) {
        auto other = std::make_unique<Sender>();
        const QMetaObject::Connection warmUp = make(other.get());
        disconnect(warmUp);
        before = privates();
        connection = way ? connect(&m_sender, &Sender::sent, other.get(), Functor())
                         : make(other.get());
        QCOMPARE(privates() - before, live(2));
        connection = {};
        other.reset();
        emit m_sender.sent();
        QCOMPARE(privates().live, before.live - 1); // the private part of the other
        QCOMPARE(Sender::called, 1);
    }
}

void tst_QPoolSlots::callsFreeTheirSlotObjects_data()
{
    QTest::addColumn<Call>("make");
    QTest::newRow("invokeMethod, member")
            << Call([](Sender *sender) { QMetaObject::invokeMethod(sender, &Sender::slot); });
    QTest::newRow("invokeMethod, functor")
            << Call([](Sender *sender) { QMetaObject::invokeMethod(sender, Functor()); });
    QTest::newRow("invokeMethod, queued member") << Call([](Sender *sender) {
        QMetaObject::invokeMethod(sender, &Sender::slot, Qt::QueuedConnection);
    });
    QTest::newRow("invokeMethod, queued functor") << Call([](Sender *sender) {
        QMetaObject::invokeMethod(sender, Functor(), Qt::QueuedConnection);
    });
    QTest::newRow("singleShot, member")
            << Call([](Sender *sender) { QTimer::singleShot(1, sender, &Sender::slot); });
    QTest::newRow("singleShot, functor")
            << Call([](Sender *sender) { QTimer::singleShot(1, sender, Functor()); });
}

void tst_QPoolSlots::callsFreeTheirSlotObjects()
{
    QFETCH(Call, make);
    // The first time also creates what else the timer and the loop need.
    for (int round = 0; round < 2; ++round) {
        const ClassStatistics before = privates();
        make(&m_sender);
        QTRY_COMPARE(Sender::called, round + 1);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        const ClassStatistics used = privates() - before;
        QCOMPARE_GE(used.allocated, 1);
        QCOMPARE(used.live, 0);
    }
    if (Functor::place)
        QVERIFY(isPooled(Functor::place));
}

// The slot object outlives its connection until the call is over.
void tst_QPoolSlots::slotObjectOutlivesItsConnection()
{
    const ClassStatistics before = privates();
    QMetaObject::Connection connection;
    int calls = 0;
    auto payload = std::make_shared<int>(7);
    const std::weak_ptr<int> watched = payload;
    connection = connect(&m_sender, &Sender::sent, this, [&, payload = std::move(payload)] {
        disconnect(connection);
        connection = {};
        // Would take the chunk, were it free.
        for (int i = 0; i < 10; ++i)
            disconnect(connect(&m_sender, &Sender::sent, this, [payload] { (void) payload; }));
        calls += *payload;
    });
    emit m_sender.sent();
    emit m_sender.sent();
    QCOMPARE(calls, 7);
    QVERIFY(watched.expired());
    QCOMPARE(privates().live, before.live);
}

constexpr int Count = 1000;

// A size class in which no other slot objects are.
using Wide = Kept<400, 1>;

static ClassStatistics wide()
{
    return snapshot().statistics("private", 448);
}

// Made here, freed there: home through the backlog.
void tst_QPoolSlots::freesSlotObjectsElsewhere()
{
    EventThread thread;
    std::vector<QMetaObject::Connection> connections;
    const ClassStatistics before = wide();
    for (int i = 0; i < Count; ++i)
        connections.push_back(connect(&m_sender, &Sender::sent, Wide()));
    QCOMPARE(wide() - before, live(Count));
    auto disconnectAll = [&] {
        for (const QMetaObject::Connection &connection : connections)
            disconnect(connection);
    };
    QMetaObject::invokeMethod(thread.receiver(), disconnectAll, Qt::QueuedConnection);
    thread.waitForIdle();
    emit m_sender.sent();
    QCOMPARE(Sender::called, 0);
    QCOMPARE(wide() - before, (ClassStatistics { Count, Count, Count, 0 }));
}

// The event that is on its way holds the slot object, and is the last to.
void tst_QPoolSlots::queuedCallsSurviveDisconnection()
{
    EventThread thread;
    const ClassStatistics before = wide();
    QSemaphore go;
    QMetaObject::invokeMethod(
            thread.receiver(), [&] { go.acquire(); }, Qt::QueuedConnection);
    for (int i = 0; i < Count; ++i) {
        const auto connection = connect(&m_sender, &Sender::sent, thread.receiver(), Wide());
        emit m_sender.sent();
        disconnect(connection);
    }
    QCOMPARE(wide() - before, live(Count));
    go.release();
    thread.waitForIdle();
    QCOMPARE(Sender::called, Count);
    QCOMPARE(wide() - before, (ClassStatistics { Count, Count, Count, 0 }));
}

void tst_QPoolSlots::callsToAnotherThreadLoseNothing()
{
    EventThread thread;
    ClassStatistics before = wide();
    QSemaphore go;
    QMetaObject::invokeMethod(
            thread.receiver(), [&] { go.acquire(); }, Qt::QueuedConnection);
    for (int i = 0; i < Count; ++i)
        QMetaObject::invokeMethod(thread.receiver(), Wide(), Qt::QueuedConnection);
    QCOMPARE(wide() - before, live(Count));
    go.release();
    thread.waitForIdle();
    QCOMPARE(Sender::called, Count);
    QCOMPARE(wide() - before, (ClassStatistics { Count, Count, Count, 0 }));

    // Here either thread may free it.
    before = wide();
    for (int i = 0; i < 100; ++i)
        QMetaObject::invokeMethod(thread.receiver(), Wide(), Qt::BlockingQueuedConnection);
    thread.waitForIdle();
    QCOMPARE(Sender::called, Count + 100);
    const ClassStatistics used = wide() - before;
    QCOMPARE(used.allocated, 100);
    QCOMPARE(used.live, 0);
}

QTEST_GUILESS_MAIN(tst_QPoolSlots)
#include "tst_qpoolslots.moc"
