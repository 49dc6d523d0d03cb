// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFuture>
#include <QtCore/QFutureWatcher>
#include <QtCore/QPromise>
#include <QtCore/QSharedPointer>
#include <QtCore/QThread>
#include <QtCore/QTimer>

#include <memory>
#include <thread>
#include <vector>

// A program compiled without the pool on a QtCore with the pool: each deletes what the other created,
// without harm.
class tst_DropIn : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void qtCoreDeletesPostedEvents();
    void deletesEventsMadeHere();
    void deletesClonesMadeByQtCore();
    void deletesObjectsMadeHere_data();
    void deletesObjectsMadeHere();
    void deletesObjectsMadeByQtCore();
    void parentsDeleteChildrenOfBothKinds();
    void futureWatchersGetTheirResults();
    void threadsFreeEachOthersEvents();
    void alignsOverAlignedClasses();
    void metaTypesDestroyWhatOthersMade();

private:
    std::unique_ptr<PoolSnapshot> m_before;
};

namespace {

int instances = 0;

class Object : public QObject
{
    Q_OBJECT

public:
    Q_INVOKABLE explicit Object(QObject *parent = nullptr) : QObject(parent) { ++instances; }
    ~Object() override { --instances; }

    int received = 0;
    char payload[100] = {};

protected:
    void customEvent(QEvent *) override { ++received; }
};

struct Event : QEvent
{
    Event() : QEvent(QEvent::User) { ++instances; }
    ~Event() override { --instances; }

    QEvent *clone() const override { return new Event; }
    char payload[30] = {};
};

struct alignas(128) AlignedEvent : Event
{
};

class alignas(64) AlignedObject : public Object
{
};

void sendDeferredDeletes()
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

} // namespace

void tst_DropIn::initTestCase()
{
    // The build defines on which QtCore this must run, so that it does not pass on the wrong library.
    const QByteArray expected = qgetenv("QPOOL_EXPECTED");
    if (!expected.isEmpty()) {
        const char *found = !Pool::snapshotFunction() ? "stock"
                                                      : Pool::isActive() ? "pooled" : "disabled";
        QCOMPARE(found, expected.constData());
    }
}

void tst_DropIn::init()
{
    m_before = std::make_unique<PoolSnapshot>(Pool::snapshot());
}

void tst_DropIn::cleanup()
{
    QCOMPARE(instances, 0);
    Pool::idle();
    const PoolSnapshot after = Pool::snapshot();
    for (const char *domain : { "event", "object", "private" })
        QCOMPARE(after.total(domain).live, m_before->total(domain).live);
}

// Made here, delivered and deleted by QtCore.
void tst_DropIn::qtCoreDeletesPostedEvents()
{
    Object receiver;
    for (int i = 0; i < 100; ++i) {
        QCoreApplication::postEvent(&receiver, new Event);
        QCoreApplication::postEvent(&receiver, new QEvent(QEvent::User));
        QCoreApplication::postEvent(&receiver, new AlignedEvent);
    }
    QCoreApplication::sendPostedEvents(&receiver);
    QCOMPARE(receiver.received, 300);

    // And some that are never delivered.
    auto *doomed = new Object;
    for (int i = 0; i < 100; ++i)
        QCoreApplication::postEvent(doomed, new Event);
    delete doomed;
    QCoreApplication::postEvent(&receiver, new Event);
    QCoreApplication::removePostedEvents(&receiver);
}

// Plain events are deleted by QtCore's destructor, whichever code calls delete.
void tst_DropIn::deletesEventsMadeHere()
{
    std::vector<std::unique_ptr<QEvent>> events;
    for (int i = 0; i < 100; ++i) {
        events.emplace_back(new QEvent(QEvent::User));
        events.emplace_back(new QTimerEvent(i));
        events.emplace_back(new QChildEvent(QEvent::ChildAdded, this));
        events.emplace_back(new QDynamicPropertyChangeEvent("name"));
    }
    QVERIFY(!Pool::owns(events.front().get()));
}

// Made by QtCore, deleted here.
void tst_DropIn::deletesClonesMadeByQtCore()
{
    const QTimerEvent original(17);
    for (int i = 0; i < 100; ++i) {
        const std::unique_ptr<QEvent> copy(original.clone());
        QCOMPARE(Pool::owns(copy.get()), Pool::isActive());
        QCOMPARE(static_cast<QTimerEvent *>(copy.get())->timerId(), 17);
    }
    const std::unique_ptr<QEvent> ours(Event().clone());
    QVERIFY(!Pool::owns(ours.get()));
}

void tst_DropIn::deletesObjectsMadeHere_data()
{
    QTest::addColumn<QObject *(*)()>("make");
    using Make = QObject *(*)();
    QTest::newRow("QObject") << Make([]() -> QObject * { return new QObject; });
    QTest::newRow("QTimer") << Make([]() -> QObject * { return new QTimer; });
    QTest::newRow("QThread") << Make([]() -> QObject * { return new QThread; });
    QTest::newRow("subclass") << Make([]() -> QObject * { return new Object; });
    QTest::newRow("aligned") << Make([]() -> QObject * { return new AlignedObject; });
    QTest::newRow("watcher") << Make([]() -> QObject * { return new QFutureWatcher<void>; });
}

void tst_DropIn::deletesObjectsMadeHere()
{
    using Make = QObject *(*)();
    QFETCH(Make, make);
    for (int i = 0; i < 20; ++i) {
        delete make();
        make()->deleteLater();
        sendDeferredDeletes();
        QObject parent;
        make()->setParent(&parent);
        const QSharedPointer<QObject> shared(make());
        const QSharedPointer<QObject> later(make(), &QObject::deleteLater);
        QVERIFY(!Pool::owns(shared.data()));
    }
    sendDeferredDeletes();
}

// Made by QtCore, deleted here, or by QtCore again.
void tst_DropIn::deletesObjectsMadeByQtCore()
{
    for (int i = 0; i < 100; ++i) {
        const std::unique_ptr<QObject> plain(QObject::staticMetaObject.newInstance());
        QCOMPARE(Pool::owns(plain.get()), Pool::isActive());
        const std::unique_ptr<QThread> thread(QThread::create([] { }));
        QCOMPARE(Pool::owns(thread.get()), Pool::isActive());
        QObject::staticMetaObject.newInstance()->deleteLater();
        const std::unique_ptr<QObject> ours(Object::staticMetaObject.newInstance());
        QVERIFY(!Pool::owns(ours.get()));
    }
    sendDeferredDeletes();

    int ran = 0;
    const std::unique_ptr<QThread> thread(QThread::create([&] { ++ran; }));
    thread->start();
    thread->wait();
    QCOMPARE(ran, 1);
}

void tst_DropIn::parentsDeleteChildrenOfBothKinds()
{
    auto *parent = QObject::staticMetaObject.newInstance(); // QtCore's
    for (int i = 0; i < 100; ++i) {
        new Object(parent);
        new QTimer(parent);
        QObject::staticMetaObject.newInstance()->setParent(parent);
    }
    QCOMPARE(instances, 100);
    delete parent;
    QCOMPARE(instances, 0);
}

// A watcher gets its events from QtCore, cloned, and is a template: its destructor may be in any
// module.
void tst_DropIn::futureWatchersGetTheirResults()
{
    QPromise<int> promise;
    auto *watcher = new QFutureWatcher<int>;
    int results = 0;
    bool finished = false;
    connect(watcher, &QFutureWatcherBase::resultReadyAt, this, [&] { ++results; });
    connect(watcher, &QFutureWatcherBase::finished, this, [&] { finished = true; });
    watcher->setFuture(promise.future());
    const auto text = promise.future().then([](int first) { return QString::number(first); });
    std::thread([&] {
        promise.start();
        for (int i = 0; i < 50; ++i)
            promise.addResult(i);
        promise.finish();
    }).join();
    QCoreApplication::sendPostedEvents();
    QVERIFY(finished);
    QCOMPARE(results, 50);
    QCOMPARE(text.result(), QString("0"));
    delete watcher;
}

void tst_DropIn::threadsFreeEachOthersEvents()
{
    auto *receiver = new Object;
    std::atomic<int> calls { 0 };
    {
        QThread thread;
        receiver->moveToThread(&thread);
        for (int i = 0; i < 1000; ++i) {
            QMetaObject::invokeMethod(receiver, [&] { ++calls; }, Qt::QueuedConnection);
            QCoreApplication::postEvent(receiver, new Event);
        }
        QObject::connect(&thread, &QThread::finished, receiver, &QObject::deleteLater);
        QMetaObject::invokeMethod(receiver, [&] { thread.quit(); }, Qt::QueuedConnection);
        thread.start();
        QVERIFY(thread.wait());
    }
    QCOMPARE(calls.load(), 1000);
    // wait() returns a moment before the thread has ended and freed what it held.
    QTRY_COMPARE(Pool::snapshot().total("event").live, m_before->total("event").live);
    QTRY_COMPARE(Pool::snapshot().total("private").live, m_before->total("private").live);
}

void tst_DropIn::alignsOverAlignedClasses()
{
    std::vector<std::unique_ptr<QEvent>> events;
    std::vector<std::unique_ptr<QObject>> objects;
    for (int i = 0; i < 100; ++i) {
        events.emplace_back(new AlignedEvent);
        objects.emplace_back(new AlignedObject);
        QCOMPARE(reinterpret_cast<quintptr>(events.back().get()) % 128, quintptr(0));
        QCOMPARE(reinterpret_cast<quintptr>(objects.back().get()) % 64, quintptr(0));
    }
}

void tst_DropIn::metaTypesDestroyWhatOthersMade()
{
    const auto type = QMetaType::fromType<Object>();
    delete static_cast<Object *>(type.create());
    type.destroy(type.create());
    type.destroy(new Object);
    const auto timer = QMetaType::fromType<QTimer>();
    delete static_cast<QTimer *>(timer.create());
    timer.destroy(new QTimer);
    const auto plain = QMetaType::fromType<QObject>();
    plain.destroy(QObject::staticMetaObject.newInstance()); // the pool's, in QtCore's hands
}

QTEST_GUILESS_MAIN(tst_DropIn)
#include "tst_dropin.moc"
