// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../shared/childprocess.h"
#include "../shared/pool.h"
#include "../shared/threads.h"

#include <QtCore/QTimer>

#include <memory>
#include <set>
#include <thread>
#include <vector>

// Declared as a program would look it up.
extern "C" Q_DECL_IMPORT std::size_t qt_pool_allocator_census(char *buffer, std::size_t size);

// Live objects by class, as a process reports them about itself.
class tst_QPoolCensus : public QObject
{
    Q_OBJECT

private slots:
    void jsonIsCompleteAndAddsUp();
    void leavesTooSmallBuffersAlone();
    void countsObjectsByClass();
    void countsAHalfBuiltObjectAsItsBase();
    void countsEventsByClassAndType();
    void leavesOutWhatOtherThreadsFreed();
    void countsObjectsOfOtherThreads();
    void countsExactlyBesideThreadsAtWork();
    void canBeTakenFromSeveralThreads();
    void disabledPoolHasNoObjects();
};

namespace {

class Census
{
public:
    explicit Census(const QByteArray &text) : m_root(QJsonDocument::fromJson(text).object()) { }
    static Census take() { return Census(PoolSnapshot::textOf(qt_pool_allocator_census)); }

    const QJsonObject &root() const { return m_root; }
    bool isExact() const { return m_root["exact"].toBool(); }

    // How many of a class, in a domain if that is given, and of an event's type.
    qint64 count(const QString &type, const QString &domain = {}, int eventType = -1) const
    {
        qint64 sum = 0;
        for (const QJsonValue &entry : m_root["classes"].toArray()) {
            if (entry["class"].toString() == type
                && (domain.isEmpty() || entry["domain"].toString() == domain)
                && (eventType < 0 || entry["eventType"].toInt(-1) == eventType)) {
                sum += entry["count"].toInteger();
            }
        }
        return sum;
    }

    qint64 total(const QString &domain) const
    {
        qint64 sum = 0;
        for (const QJsonValue &entry : m_root["classes"].toArray())
            sum += entry["domain"].toString() == domain ? entry["count"].toInteger() : 0;
        return sum;
    }

private:
    QJsonObject m_root;
};

std::set<QString> keysOf(const QJsonValue &object)
{
    const QStringList keys = object.toObject().keys();
    return { keys.begin(), keys.end() };
}

QString complaint(const QJsonObject &root)
{
    if (keysOf(root) != std::set<QString> { "version", "pid", "exact", "count", "bytes",
                                            "uncertain", "classes", "arenas" }) {
        return "keys of the whole";
    }
    qint64 count = 0;
    qint64 bytes = 0;
    double share = 0;
    for (const QJsonValue &entry : root["classes"].toArray()) {
        auto expected = std::set<QString> { "domain", "class", "module", "count", "bytes", "share" };
        if (entry["eventType"].isDouble())
            expected.insert({ "eventType", "event" });
        if (keysOf(entry) != expected)
            return "keys of a class";
        count += entry["count"].toInteger();
        bytes += entry["bytes"].toInteger();
        share += entry["share"].toDouble();
    }
    if (count != root["count"].toInteger() || bytes != root["bytes"].toInteger())
        return "sums of the classes";
    if (count > 0 && qAbs(share - 1) > 0.001)
        return "shares";
    for (const QJsonValue &arena : root["arenas"].toArray()) {
        if (keysOf(arena) != std::set<QString> { "id", "thread", "state", "live", "uncertain",
                                                 "moving" }) {
            return "keys of an arena";
        }
        count -= arena["live"].toInteger();
    }
    return count == 0 ? QString() : "sums of the arenas";
}

class Car : public QObject
{
};

struct Wheels : QEvent
{
    Wheels() : QEvent(QEvent::Type(QEvent::User + 4)) { }
};

} // namespace

void tst_QPoolCensus::jsonIsCompleteAndAddsUp()
{
    const std::unique_ptr<QEvent> event(new QEvent(QEvent::User));
    const Census census = Census::take();
    QCOMPARE(complaint(census.root()), QString());
    QCOMPARE(census.root()["version"].toInt(), 1);
    QCOMPARE(census.root()["pid"].toInteger(), qint64(getpid()));
    QVERIFY(census.root()["count"].toInteger() > 0);
    // The pool's own count says the same.
    const PoolSnapshot statistics = snapshot();
    for (const char *domain : { "event", "object", "private" })
        QCOMPARE(census.total(domain), statistics.total(domain).live);
    QCOMPARE(census.root()["bytes"].toInteger(), statistics.bytes("live"));
}

void tst_QPoolCensus::leavesTooSmallBuffersAlone()
{
    const std::size_t length = qt_pool_allocator_census(nullptr, 0);
    QVERIFY(length > 0);
    QByteArray buffer(qsizetype(length) / 2, 'x');
    const QByteArray untouched = buffer;
    QVERIFY(qt_pool_allocator_census(buffer.data(), std::size_t(buffer.size()))
            >= std::size_t(buffer.size()));
    QCOMPARE(buffer, untouched);
    const QByteArray whole = PoolSnapshot::textOf(qt_pool_allocator_census);
    QCOMPARE(complaint(QJsonDocument::fromJson(whole).object()), QString());
    QVERIFY(!whole.contains('\n') && !whole.contains('\0'));
}

void tst_QPoolCensus::countsObjectsByClass()
{
    const Census before = Census::take();
    QVERIFY(before.isExact());
    std::vector<std::unique_ptr<QObject>> kept;
    for (int i = 0; i < 500; ++i) {
        kept.emplace_back(new Car);
        if (i % 5 == 0)
            kept.emplace_back(new QTimer);
    }
    const Census between = Census::take();
    const QString car = QStringLiteral("(anonymous namespace)::Car");
    QVERIFY(between.isExact());
    QCOMPARE(between.count(car, "object") - before.count(car), 500);
    QCOMPARE(between.count("QTimer", "object") - before.count("QTimer"), 100);
    QCOMPARE(between.count("QObjectPrivate", "private") + between.count("QTimerPrivate", "private")
                     - before.count("QObjectPrivate") - before.count("QTimerPrivate"),
             600);
    kept.clear();
    const Census after = Census::take();
    QCOMPARE(after.count(car), before.count(car));
    QCOMPARE(after.count("QTimer"), before.count("QTimer"));
}

// The class is the one whose constructor, or destructor, runs.
void tst_QPoolCensus::countsAHalfBuiltObjectAsItsBase()
{
    struct Base : QObject
    {
        Base() : seen(Census::take()) { }
        Census seen;
    };
    struct Whole : Base
    {
    };
    const auto isBase = [](const Census &census) {
        for (const QJsonValue &entry : census.root()["classes"].toArray()) {
            const QString name = entry["class"].toString();
            if (name.contains("countsAHalfBuiltObjectAsItsBase") && name.endsWith("::Base"))
                return entry["count"].toInt() == 1;
        }
        return false;
    };
    const std::unique_ptr<Whole> whole(new Whole);
    QVERIFY(isBase(whole->seen));
    QVERIFY(!isBase(Census::take()));
}

void tst_QPoolCensus::countsEventsByClassAndType()
{
    QObject receiver;
    const Census before = Census::take();
    for (int i = 0; i < 30; ++i) {
        QCoreApplication::postEvent(&receiver, new Wheels);
        QMetaObject::invokeMethod(&receiver, [] { }, Qt::QueuedConnection);
    }
    (new QObject)->deleteLater();
    const Census census = Census::take();
    QVERIFY(census.isExact());
    QCOMPARE(census.count("(anonymous namespace)::Wheels", "event", QEvent::User + 4), 30);
    QCOMPARE(census.count("QMetaCallEvent", "event", QEvent::MetaCall)
                     - before.count("QMetaCallEvent", "event", QEvent::MetaCall),
             30);
    for (const QJsonValue &entry : census.root()["classes"].toArray()) {
        if (entry["eventType"].toInt() == QEvent::MetaCall)
            QCOMPARE(entry["event"].toString(), "MetaCall");
        if (entry["eventType"].toInt() == QEvent::User + 4)
            QCOMPARE(entry["event"].toString(), "User+4");
    }
    qint64 deletions = 0;
    for (const QJsonValue &entry : census.root()["classes"].toArray()) {
        if (entry["event"].toString() == "DeferredDelete")
            deletions += entry["count"].toInteger();
    }
    QCOMPARE(deletions, 1);
    QCoreApplication::sendPostedEvents(&receiver);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(Census::take().count("(anonymous namespace)::Wheels"), 0);
}

// Objects that another thread deleted are not alive, wherever their chunks wait.
void tst_QPoolCensus::leavesOutWhatOtherThreadsFreed()
{
    const QString car = QStringLiteral("(anonymous namespace)::Car");
    for (int count : { 1, 5, 64, 1000 }) {
        std::vector<QObject *> cars;
        for (int i = 0; i < count + 3; ++i)
            cars.push_back(new Car);
        QSemaphore freed;
        QSemaphore looked;
        std::thread thread([&] {
            for (int i = 0; i < count; ++i)
                delete cars[std::size_t(i)];
            freed.release();
            looked.acquire();
        });
        freed.acquire();
        const Census between = Census::take();
        looked.release();
        thread.join();
        QCOMPARE(between.count(car, "object"), 3);
        QVERIFY(between.isExact());
        QCOMPARE(Census::take().count(car, "object"), 3);
        for (int i = count; i < count + 3; ++i)
            delete cars[std::size_t(i)];
    }
    QCOMPARE(Census::take().count(car), 0);
}

// Threads that sleep in their event loop, that sleep elsewhere, and that have ended.
void tst_QPoolCensus::countsObjectsOfOtherThreads()
{
    const QString car = QStringLiteral("(anonymous namespace)::Car");
    std::vector<QObject *> cars;
    EventThread loop;
    QMetaObject::invokeMethod(loop.receiver(), [&] {
        for (int i = 0; i < 100; ++i)
            cars.push_back(new Car);
    }, Qt::BlockingQueuedConnection);
    loop.waitForIdle();
    QSemaphore made;
    QSemaphore looked;
    std::thread waiting([&] {
        for (int i = 0; i < 20; ++i)
            cars.push_back(new Car);
        qt_pool_allocator_idle(); // parks
        made.release();
        looked.acquire();
    });
    made.acquire();
    std::thread([&] { cars.push_back(new Car); }).join();
    const Census census = Census::take();
    QCOMPARE(census.count(car), 121);
    QVERIFY(census.isExact());
    bool parked = false;
    for (const QJsonValue &arena : census.root()["arenas"].toArray())
        parked |= arena["state"].toString() == "parked" && arena["live"].toInteger() >= 20;
    QVERIFY(parked);
    looked.release();
    waiting.join();
    QCOMPARE(Census::take().count(car), 121);
    qDeleteAll(cars);
    QCOMPARE(Census::take().count(car), 0);
}

// One class that changes does not make the others uncertain, and its arena reports it.
void tst_QPoolCensus::countsExactlyBesideThreadsAtWork()
{
    using Busy = SizedEvent<768>;
    const QString car = QStringLiteral("(anonymous namespace)::Car");
    std::vector<std::unique_ptr<QObject>> cars;
    for (int i = 0; i < 200; ++i)
        cars.emplace_back(new Car);
    std::atomic<bool> stop { false };
    std::atomic<qint64> made { 0 };
    std::thread thread([&] {
        std::vector<std::unique_ptr<QEvent>> events;
        while (!stop) {
            events.emplace_back(new Busy);
            ++made;
            if (events.size() > 200)
                events.clear();
        }
    });
    while (made == 0)
        std::this_thread::yield();
    for (int i = 0; i < 20; ++i) {
        const Census census = Census::take();
        QCOMPARE(complaint(census.root()), QString());
        QCOMPARE(census.count(car, "object"), 200);
        for (const QJsonValue &arena : census.root()["arenas"].toArray()) {
            if (arena["thread"].toInteger() == threadId())
                QCOMPARE(arena["moving"].toInt(), 0);
            else
                QVERIFY(arena["moving"].toInt() <= 1);
        }
    }
    stop = true;
    thread.join();
}

void tst_QPoolCensus::canBeTakenFromSeveralThreads()
{
    std::atomic<int> wrong { 0 };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            for (int turn = 0; turn < 10; ++turn) {
                const std::unique_ptr<QObject> own(new Car);
                const Census census = Census::take();
                wrong += !complaint(census.root()).isEmpty()
                        || census.count(QStringLiteral("(anonymous namespace)::Car")) < 1;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
}

static int child(const QByteArray &, int &argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QTimer timer;
    std::fputs(PoolSnapshot::textOf(qt_pool_allocator_census).constData(), stdout);
    return 0;
}

void tst_QPoolCensus::disabledPoolHasNoObjects()
{
    const ChildResult result = runChild("disabled", { { "QT_POOL_ALLOCATOR", "0" } });
    VERIFY_CLEAN_EXIT(result);
    const Census disabled(result.output);
    QCOMPARE(complaint(disabled.root()), QString());
    QCOMPARE(disabled.root()["count"].toInteger(-1), 0);
    QVERIFY(disabled.root()["arenas"].toArray().isEmpty());
}

QPOOL_TEST_MAIN_WITH_CHILDREN(tst_QPoolCensus, child)
#include "tst_qpoolcensus.moc"
