// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../shared/childprocess.h"
#include "../shared/threads.h"
#include "countedtypes.h"
#include "qpoolsnapshotjson_p.h"
#include "qpoolsizeclasses.h"
#include "qpoolmonitoredprocess.h"

#include <memory>
#include <random>
#include <vector>

#include <sys/wait.h>

using QPool::MonitoredProcess;

// What a Qt program publishes equals its own snapshot, and what was counted without the pool.
class tst_QPoolMonitor : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void snapshotAgrees();
    void countAgrees();
    void countsPrivateParts();
    void countsRemoteFreesAndOrphans();
    void publishesOnlyIfRequested_data();
    void publishesOnlyIfRequested();
    void forkedChildDoesNotPublish();

private:
    PoolSnapshot read() const { return PoolSnapshot(json()); }
    QByteArray json() const
    {
        return QJsonDocument(QPoolSnapshotJson::toJson(m_process->read())).toJson();
    }
    ClassStatistics statistics(const char *domain, std::size_t size) const
    {
        return read().statistics(domain, qint64(size));
    }

    std::unique_ptr<MonitoredProcess> m_process;
};

static std::unique_ptr<MonitoredProcess> attachTo(qint64 pid, MonitoredProcess::Error *error)
{
    std::string message;
    return MonitoredProcess::attach(pid, error, &message);
}

void tst_QPoolMonitor::initTestCase()
{
    MonitoredProcess::Error error;
    m_process = attachTo(getpid(), &error);
    QVERIFY2(m_process, "run this with ctest, with QT_POOL_ALLOCATOR=monitor");
}

void tst_QPoolMonitor::snapshotAgrees()
{
    std::vector<std::unique_ptr<QObject>> kept;
    for (int i = 0; i < 1000; ++i) {
        kept.emplace_back(i % 3 ? new QObject : new SizedObject<72>);
        delete new SizedEvent<40>;
        if (i % 5 == 0)
            kept.erase(kept.begin());
        if (i % 100 == 0)
            qt_pool_allocator_trim();
        if (i % 250)
            continue;
        const QJsonObject outside = read().root();
        const QJsonObject inside = snapshot().root();
        QCOMPARE(QJsonDocument(outside).toJson(), QJsonDocument(inside).toJson());
    }
}

void tst_QPoolMonitor::countAgrees()
{
    std::mt19937 random(1);
    std::vector<std::unique_ptr<QEvent>> events;
    std::vector<std::unique_ptr<QObject>> objects;
    const PoolSnapshot before = read();
    for (int i = 0; i < 20000; ++i) {
        switch (random() % 8) {
        case 0: events.emplace_back(new CountedEvent<24>); break;
        case 1: events.emplace_back(new CountedEvent<104>); break;
        case 2: events.emplace_back(new CountedEvent<1000>); break;
        case 3: objects.emplace_back(new CountedObject<32>); break;
        case 4: objects.emplace_back(new CountedObject<168>); break;
        case 5: objects.emplace_back(new CountedObject<440>); break;
        case 6: events.resize(events.size() - random() % (events.size() + 1) / 4); break;
        case 7: objects.resize(objects.size() - random() % (objects.size() + 1) / 4); break;
        }
        if (i % 1000)
            continue;
        const PoolSnapshot now = read();
        auto compare = [&](const char *domain, const auto &counts) {
            std::map<qint64, OperatorCalls::Count> classes;
            for (const auto &[size, count] : counts) {
                const qint64 chunk = qint64(QPool::SizeClasses::sizeOf(
                        QPool::SizeClasses::indexOf(size)));
                classes[chunk].allocated += count.allocated;
                classes[chunk].freed += count.freed;
            }
            for (const auto &[size, count] : classes) {
                const ClassStatistics expected { count.allocated, count.freed, 0,
                                                 count.allocated - count.freed };
                QCOMPARE(now.statistics(domain, size) - before.statistics(domain, size), expected);
            }
        };
        compare("event", OperatorCalls::events);
        compare("object", OperatorCalls::objects);
        if (QTest::currentTestFailed())
            return;
    }
    QVERIFY(OperatorCalls::events.size() == 3 && OperatorCalls::objects.size() == 3);
}

// An object's private part is QtCore's to allocate.
void tst_QPoolMonitor::countsPrivateParts()
{
    const PoolSnapshot before = read();
    std::vector<std::unique_ptr<QObject>> objects;
    for (int i = 0; i < 500; ++i)
        objects.emplace_back(new QObject);
    QCOMPARE(read().total("private") - before.total("private"),
             (ClassStatistics { 500, 0, 0, 500 }));
    objects.clear();
    QCOMPARE(read().total("private") - before.total("private"),
             (ClassStatistics { 500, 500, 0, 0 }));
}

// Events that are freed where they are delivered, and arenas of threads that end.
void tst_QPoolMonitor::countsRemoteFreesAndOrphans()
{
    constexpr int count = 1000;
    using Event = SizedEvent<56>;
    const PoolSnapshot before = read();
    qint64 thread = 0;
    {
        EventThread receiver;
        thread = receiver.id();
        for (int i = 0; i < count; ++i)
            QCoreApplication::postEvent(receiver.receiver(), new Event);
        receiver.waitForIdle();
        const PoolSnapshot now = read();
        QCOMPARE(now.statistics("event", sizeof(Event)) - before.statistics("event", sizeof(Event)),
                 (ClassStatistics { count, count, count, 0 }));
        QCOMPARE(now.arenaOf(thread).orphaned, false);
    }
    QTRY_VERIFY(read().arenaOf(thread).orphaned); // wait() returns a moment before it is gone
}

static int useThePool(const QByteArray &part, int &argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const std::unique_ptr<QEvent> event(new SizedEvent<24>);
    MonitoredProcess::Error error;
    const auto process = attachTo(getpid(), &error);
    if (part == "publishing")
        return process && process->read().enabled ? 0 : 1;
    if (part == "disabled")
        return process && !process->read().enabled && process->read().arenas.empty() ? 0 : 1;
    return !process && error == MonitoredProcess::NotPublishing ? 0 : 1;
}

void tst_QPoolMonitor::publishesOnlyIfRequested_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("preloaded");
    QTest::addColumn<QString>("expected");

    QTest::newRow("monitor") << "monitor" << "" << "publishing";
    QTest::newRow("0") << "0" << "" << "silent";
    QTest::newRow("1") << "1" << "" << "silent";
    QTest::newRow("empty") << "" << "" << "silent";
    QTest::newRow("two words") << "latency,monitor" << "" << "publishing";
    QTest::newRow("another word") << "latency" << "" << "silent";
    QTest::newRow("on and monitor") << "1,monitor" << "" << "publishing";
    QTest::newRow("off and monitor") << "0,monitor" << "" << "disabled";
    QTest::newRow("other letters") << "Monitor" << "" << "silent";
    // The name is all it goes by, and a tool that is not there is only complained of.
    QTest::newRow("monitor, beside a tool") << "monitor" << "vgpreload_memcheck_none.so" << "disabled";
    QTest::newRow("two words, beside a tool")
            << "monitor,latency" << "vgpreload_memcheck_none.so" << "disabled";
}

void tst_QPoolMonitor::publishesOnlyIfRequested()
{
    QFETCH(QString, value);
    QFETCH(QString, preloaded);
    QFETCH(QString, expected);
    const ChildResult result = runChild(expected, { { "QT_POOL_ALLOCATOR", value },
                                                    { "LD_PRELOAD", preloaded } });
    QVERIFY(result.exited);
    QCOMPARE(result.exitCode, 0);
    // A word that is not known is named, once.
    QCOMPARE(int(result.errors.count("qpool:")), value == "Monitor" ? 1 : 0);
}

// What a child of a fork does is not visible in its parent, and the child continues from its parent's
// state.
void tst_QPoolMonitor::forkedChildDoesNotPublish()
{
    std::vector<std::unique_ptr<QObject>> objects;
    for (int i = 0; i < 1000; ++i)
        objects.emplace_back(new SizedObject<88>);
    const PoolSnapshot before = read();
    const pid_t child = fork();
    if (child == 0) {
        objects.clear();
        for (int i = 0; i < 3000; ++i)
            objects.emplace_back(new SizedObject<88>);
        const bool exact = snapshot().statistics("object", 88).live == 3000;
        MonitoredProcess::Error error;
        const bool silent = !attachTo(getpid(), &error) && error == MonitoredProcess::NotPublishing;
        _exit(exact && silent ? 0 : 1);
    }
    QVERIFY(child > 0);
    int status = -1;
    QCOMPARE(waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    QCOMPARE(read().statistics("object", 88), before.statistics("object", 88));
    QCOMPARE(read().total("private"), before.total("private"));
}

QPOOL_TEST_MAIN_WITH_CHILDREN(tst_QPoolMonitor, useThePool)
#include "tst_qpoolmonitor.moc"
