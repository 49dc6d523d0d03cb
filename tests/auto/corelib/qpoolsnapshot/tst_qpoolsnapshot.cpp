// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../shared/childprocess.h"
#include "../shared/pool.h"
#include "../shared/threads.h"
#include "snapshotformat.h"

#include <memory>
#include <thread>
#include <vector>

// The statistics: their format, exact when threads are quiet, and plausible when they are not.
class tst_QPoolSnapshot : public QObject
{
    Q_OBJECT

private slots:
    void jsonIsComplete();
    void sumsAgree();
    void leavesTooSmallBuffersAlone();
    void countsOwnFreesExactly_data();
    void countsOwnFreesExactly();
    void countsPrivateParts();
    void countsRemoteFreesOnce_data();
    void countsRemoteFreesOnce();
    void countsRemoteFreesOfIdleThreads();
    void countsWhatEndedThreadsAllocated();
    void staysWellFormedWhileThreadsWork();
    void disabledPoolIsEmpty();
};

void tst_QPoolSnapshot::jsonIsComplete()
{
    const std::unique_ptr<QEvent> event(new QEvent(QEvent::User));
    const QJsonObject root = snapshot().root();
    QCOMPARE(complaint(root), QString());
    QCOMPARE(root["pid"].toInteger(), qint64(getpid()));
    QCOMPARE(root["qt"].toString(), QString::fromLatin1(qVersion()));
    QCOMPARE(root["enabled"].toBool(), true);
    QVERIFY(!root["arenas"].toArray().isEmpty());
}

void tst_QPoolSnapshot::sumsAgree()
{
    std::vector<std::unique_ptr<QEvent>> events;
    for (int i = 0; i < 1000; ++i)
        events.emplace_back(new SizedEvent<96>);
    QObject object;

    const PoolSnapshot now = snapshot();
    qint64 chunks = 0;
    qint64 bytes = 0;
    for (const char *domain : { "event", "object", "private" }) {
        for (const QJsonValue &entry : now.classes(domain)) {
            const qint64 live = entry["live"].toInteger();
            QCOMPARE(live, entry["allocated"].toInteger() - entry["freed"].toInteger());
            QVERIFY(entry["remote"].toInteger() <= entry["freed"].toInteger());
            chunks += live;
            bytes += live * entry["size"].toInteger();
        }
    }
    qint64 inArenas = 0;
    qint64 pages = 0;
    for (const ArenaStatistics &arena : now.arenas()) {
        inArenas += arena.live;
        pages += arena.pages;
    }
    QCOMPARE(inArenas, chunks);
    QCOMPARE(now.bytes("live"), bytes);
    QVERIFY(bytes >= 96 * 1000);
    QVERIFY(now.bytes("committed") >= pages * 64 * 1024);
    QVERIFY(now.bytes("reserved") >= now.bytes("committed"));

    const ArenaStatistics own = now.arenaOf(threadId());
    QVERIFY(own.id != 0 && !own.orphaned);
    QVERIFY(own.live >= 1001);
}

void tst_QPoolSnapshot::leavesTooSmallBuffersAlone()
{
    const std::size_t length = qt_pool_allocator_snapshot(nullptr, 0);
    QVERIFY(length > 0);
    const QByteArray untouched(qsizetype(length) + 1, 'x');
    for (std::size_t tooSmall : { std::size_t(0), std::size_t(1), length / 2, length }) {
        QByteArray buffer = untouched;
        QCOMPARE(qt_pool_allocator_snapshot(buffer.data(), tooSmall), length);
        QCOMPARE(buffer, untouched);
    }
    QByteArray buffer = untouched + "yy";
    QCOMPARE(qt_pool_allocator_snapshot(buffer.data(), length + 1), length);
    QCOMPARE(buffer.at(qsizetype(length)), '\0');
    QVERIFY(buffer.endsWith("yy"));
    buffer.truncate(qsizetype(length));
    QCOMPARE(complaint(QJsonDocument::fromJson(buffer).object()), QString());
    QVERIFY(!buffer.contains('\n'));
}

void tst_QPoolSnapshot::countsOwnFreesExactly_data()
{
    QTest::addColumn<int>("count");
    for (int count : { 1, 2, 16, 17, 100, 1000, 100000 })
        QTest::addRow("%d", count) << count;
}

template <class Base, class Type>
void createAndDelete(const char *domain, int count)
{
    const ClassStatistics before = snapshot().statistics(domain, sizeof(Type));
    std::vector<std::unique_ptr<Base>> kept;
    for (int i = 0; i < count; ++i)
        kept.emplace_back(new Type);
    QCOMPARE(snapshot().statistics(domain, sizeof(Type)) - before,
             (ClassStatistics { count, 0, 0, count }));
    kept.resize(std::size_t(count / 2));
    QCOMPARE(snapshot().statistics(domain, sizeof(Type)) - before,
             (ClassStatistics { count, count - count / 2, 0, count / 2 }));
    kept.clear();
    QCOMPARE(snapshot().statistics(domain, sizeof(Type)) - before,
             (ClassStatistics { count, count, 0, 0 }));
}

void tst_QPoolSnapshot::countsOwnFreesExactly()
{
    QFETCH(int, count);
    createAndDelete<QEvent, SizedEvent<224>>("event", count);
    createAndDelete<QObject, SizedObject<224>>("object", count);
}

void tst_QPoolSnapshot::countsPrivateParts()
{
    const PoolSnapshot before = snapshot();
    {
        QObject objects[10];
        QCOMPARE(snapshot().total("private") - before.total("private"),
                 (ClassStatistics { 10, 0, 0, 10 }));
    }
    QCOMPARE(snapshot().total("private") - before.total("private"),
             (ClassStatistics { 10, 10, 0, 0 }));
    QCOMPARE(snapshot().total("object"), before.total("object"));
}

void tst_QPoolSnapshot::countsRemoteFreesOnce_data()
{
    QTest::addColumn<int>("count");
    for (int count : { 1, 63, 64, 65, 128, 1000, 100000 }) // around the batches of a remote cache
        QTest::addRow("%d", count) << count;
}

void tst_QPoolSnapshot::countsRemoteFreesOnce()
{
    QFETCH(int, count);
    using Event = SizedEvent<320>;
    const ClassStatistics before = snapshot().statistics("event", sizeof(Event));
    std::vector<QEvent *> events;
    for (int i = 0; i < count; ++i)
        events.push_back(new Event);
    std::thread([&] { qDeleteAll(events); }).join();
    QCOMPARE(snapshot().statistics("event", sizeof(Event)) - before,
             (ClassStatistics { count, count, count, 0 }));

    // Taken in by the owner, they are no longer in its backlog, and counted only once.
    qt_pool_allocator_idle();
    QCOMPARE(snapshot().arenaOf(threadId()).backlog, 0);
    QCOMPARE(snapshot().statistics("event", sizeof(Event)) - before,
             (ClassStatistics { count, count, count, 0 }));
}

void tst_QPoolSnapshot::countsRemoteFreesOfIdleThreads()
{
    using Event = SizedEvent<384>;
    const ClassStatistics before = snapshot().statistics("event", sizeof(Event));
    QSemaphore idle;
    QSemaphore looked;
    std::vector<QEvent *> events;
    for (int i = 0; i < 5; ++i)
        events.push_back(new Event);
    std::thread thread([&] {
        qDeleteAll(events);
        qt_pool_allocator_idle();
        idle.release();
        looked.acquire();
    });
    idle.acquire();
    const ClassStatistics between = snapshot().statistics("event", sizeof(Event));
    looked.release();
    thread.join();
    QCOMPARE(between - before, (ClassStatistics { 5, 5, 5, 0 }));
}

void tst_QPoolSnapshot::countsWhatEndedThreadsAllocated()
{
    using Event = SizedEvent<448>;
    const ClassStatistics before = snapshot().statistics("event", sizeof(Event));
    std::vector<QEvent *> events;
    std::thread([&] {
        for (int i = 0; i < 100; ++i)
            events.push_back(new Event);
    }).join();
    QCOMPARE(snapshot().statistics("event", sizeof(Event)) - before,
             (ClassStatistics { 100, 0, 0, 100 }));
    qDeleteAll(events);
    qt_pool_allocator_idle();
    QCOMPARE(snapshot().statistics("event", sizeof(Event)) - before,
             (ClassStatistics { 100, 100, 100, 0 }));
}

void tst_QPoolSnapshot::staysWellFormedWhileThreadsWork()
{
    using Event = SizedEvent<512>;
    const ClassStatistics before = snapshot().statistics("event", sizeof(Event));
    std::atomic<bool> stop { false };
    std::atomic<qint64> made { 0 };
    std::atomic<int> malformed { 0 };

    // They pass every other event to the one behind.
    std::atomic<QEvent *> passed[3] = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] {
            qint64 count = 0;
            while (!stop) {
                delete passed[i].exchange(nullptr);
                delete passed[(i + 1) % 3].exchange(new Event);
                delete new Event;
                count += 2;
            }
            made += count;
        });
    }
    threads.emplace_back([&] {
        while (!stop)
            malformed += !complaint(snapshot().root()).isEmpty();
    });
    QString wrong;
    for (int i = 0; i < 2000 && wrong.isEmpty(); ++i)
        wrong = complaint(snapshot().root());
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    for (std::atomic<QEvent *> &event : passed)
        delete event.exchange(nullptr);
    qt_pool_allocator_idle();

    QCOMPARE(wrong, QString());
    QCOMPARE(malformed.load(), 0);
    const ClassStatistics after = snapshot().statistics("event", sizeof(Event)) - before;
    QCOMPARE(after.allocated, made.load());
    QCOMPARE(after.freed, made.load());
    QCOMPARE(after.live, 0);
}

// The child of the next test: a complete program that prints its snapshot.
static int child(const QByteArray &, int &argc, char **argv)
{
    QCoreApplication app(argc, argv);
    Receiver receiver;
    for (int i = 0; i < 1000; ++i)
        QCoreApplication::postEvent(&receiver, new SizedEvent<64>);
    QCoreApplication::sendPostedEvents();
    std::thread([] { delete new QObject; }).join();
    {
        EventThread thread;
        for (int i = 0; i < 1000; ++i)
            QCoreApplication::postEvent(thread.receiver(), new SizedEvent<64>);
        thread.waitForIdle();
        if (thread.receiver()->received() != 1000)
            return 2;
    }
    qt_pool_allocator_idle();
    qt_pool_allocator_trim();
    fputs(PoolSnapshot::textOf(qt_pool_allocator_snapshot).constData(), stdout);
    return receiver.received() == 1000 ? 0 : 3;
}

void tst_QPoolSnapshot::disabledPoolIsEmpty()
{
    const ChildResult result = runChild("disabled", { { "QT_POOL_ALLOCATOR", "0" } });
    VERIFY_CLEAN_EXIT(result);
    const PoolSnapshot disabled(result.output);
    QCOMPARE(complaint(disabled.root()), QString());
    QVERIFY(!disabled.isEnabled());
    QVERIFY(disabled.arenas().isEmpty());
    for (const char *domain : { "event", "object", "private" })
        QVERIFY(disabled.classes(domain).isEmpty());
    for (const char *what : { "reserved", "committed", "live" })
        QCOMPARE(disabled.bytes(what), 0);

    for (const char *wish : { "1", "" }) {
        const ChildResult pooled = runChild("pooled", { { "QT_POOL_ALLOCATOR", wish } });
        VERIFY_CLEAN_EXIT(pooled);
        QVERIFY(PoolSnapshot(pooled.output).isEnabled());
        QVERIFY(PoolSnapshot(pooled.output).statistics("event", 64).allocated >= 2000);
    }
}

QPOOL_TEST_MAIN_WITH_CHILDREN(tst_QPoolSnapshot, child)
#include "tst_qpoolsnapshot.moc"
