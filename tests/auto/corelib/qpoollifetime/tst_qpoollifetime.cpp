// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../shared/childprocess.h"
#include "../shared/pool.h"
#include "../shared/threads.h"
#include "endings.h"

#include <QtCore/QThreadStorage>

#include <memory>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

// The pool at the edges of life: of a thread, of the process, and across fork().
class tst_QPoolLifetime : public QObject
{
    Q_OBJECT

private slots:
    void freesWhatAnEndingThreadHolds_data();
    void freesWhatAnEndingThreadHolds();
    void freesPendingEventsOfAdoptedThreads();
    void objectOutlivesAdoptedThread();
    void processEndsCleanly_data();
    void processEndsCleanly();
    void runsInLittleAddressSpace();
    void childOfForkUsesThePool_data();
    void childOfForkUsesThePool();
};

namespace {

using Event = SizedEvent<640>;
using Object = SizedObject<640>;

void useThePool()
{
    delete new Event;
    delete new Object;
}

// Takes and frees once more when it is destroyed itself.
struct Holder
{
    ~Holder() { useThePool(); }

    std::unique_ptr<Object> object { new Object };
    std::unique_ptr<Event> event { new Event };
};

QThreadStorage<Holder *> qtStorage;

void holdInQThreadStorage()
{
    qtStorage.setLocalData(new Holder);
}

void holdInThreadLocal()
{
    static thread_local std::unique_ptr<Holder> holder;
    holder.reset(new Holder);
}

void holdInThreadLocalOnly()
{
    // The first that the thread has of the pool is what its destructor takes.
    struct Late
    {
        ~Late() { useThePool(); }
        int used = 0;
    };
    static thread_local Late late;
    ++late.used;
}

// Keys are destroyed in any order, and once more when one of them was set meanwhile.
void holdInPthreadKeys()
{
    static const std::vector<pthread_key_t> keys = [] {
        std::vector<pthread_key_t> result(8);
        for (pthread_key_t &key : result)
            pthread_key_create(&key, [](void *holder) { delete static_cast<Holder *>(holder); });
        return result;
    }();
    for (pthread_key_t key : keys)
        pthread_setspecific(key, new Holder);
}

void holdEverywhere()
{
    holdInPthreadKeys();
    holdInThreadLocal();
    holdInQThreadStorage();
    QObject adopted; // now it is a thread of Qt's
}

using Function = void (*)();

} // namespace

void tst_QPoolLifetime::freesWhatAnEndingThreadHolds_data()
{
    QTest::addColumn<Function>("hold");
    QTest::addColumn<bool>("adopted");

    for (bool adopted : { false, true }) {
        const char *kind = adopted ? "std::thread" : "QThread";
        QTest::addRow("%s, QThreadStorage", kind) << &holdInQThreadStorage << adopted;
        QTest::addRow("%s, thread_local", kind) << &holdInThreadLocal << adopted;
        QTest::addRow("%s, thread_local only", kind) << &holdInThreadLocalOnly << adopted;
        QTest::addRow("%s, pthread keys", kind) << &holdInPthreadKeys << adopted;
        QTest::addRow("%s, everywhere", kind) << &holdEverywhere << adopted;
    }
}

void tst_QPoolLifetime::freesWhatAnEndingThreadHolds()
{
    QFETCH(Function, hold);
    QFETCH(bool, adopted);
#if QT_VERSION >= QT_VERSION_CHECK(6, 11, 0)
    // Seen in 6.11.2 with the pool and without.
    if (hold == &holdInPthreadKeys || hold == &holdEverywhere)
        QSKIP("Qt frees a binding status twice when an object is made after the thread's QThreadData is gone.");
#endif

    const PoolSnapshot before = snapshot();
    for (int i = 0; i < 20; ++i) {
        if (adopted) {
            std::thread(hold).join();
        } else {
            std::unique_ptr<QThread> thread(QThread::create(hold));
            thread->start();
            thread->wait();
        }
    }
    auto liveNow = [&](const char *domain) {
        return snapshot().statistics(domain, sizeof(Event)).live
               - before.statistics(domain, 640).live;
    };
    if (adopted) {
        QCOMPARE(liveNow("event"), 0);
        QCOMPARE(liveNow("object"), 0);
    } else {
        // wait() returns a moment before the thread is gone.
        QTRY_COMPARE(liveNow("event"), 0);
        QTRY_COMPARE(liveNow("object"), 0);
    }
    QCOMPARE_GT(snapshot().statistics("event", 640).allocated,
                before.statistics("event", 640).allocated);
}

void tst_QPoolLifetime::freesPendingEventsOfAdoptedThreads()
{
    const PoolSnapshot before = snapshot();
    for (int i = 0; i < 20; ++i) {
        std::thread([] {
            // Freed with the QThread that represents this thread, in a pthread key's destructor.
            for (int j = 0; j < 100; ++j)
                QCoreApplication::postEvent(QThread::currentThread(), new Event);
        }).join();
    }
    QCOMPARE((snapshot().statistics("event", 640) - before.statistics("event", 640)).allocated,
             2000);
    QCOMPARE(snapshot().total("event").live, before.total("event").live);
    QCOMPARE(snapshot().total("object").live, before.total("object").live);
    QCOMPARE(snapshot().total("private").live, before.total("private").live);
}

void tst_QPoolLifetime::objectOutlivesAdoptedThread()
{
    const PoolSnapshot before = snapshot();
    for (int i = 0; i < 20; ++i) {
        std::unique_ptr<QObject> object;
        std::thread([&] {
            object = std::make_unique<Object>();
            for (int j = 0; j < 100; ++j)
                QCoreApplication::postEvent(object.get(), new Event);
        }).join();
        QCOMPARE((snapshot().total("event") - before.total("event")).live, 100);
        object.reset(); // with its events and what was left of its thread
        qt_pool_allocator_idle();
        QCOMPARE((snapshot().total("event") - before.total("event")).live, 0);
        QCOMPARE((snapshot().total("object") - before.total("object")).live, 0);
        QCOMPARE((snapshot().total("private") - before.total("private")).live, 0);
    }
}

void tst_QPoolLifetime::processEndsCleanly_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : endings())
        QTest::addRow("%s", qPrintable(name)) << name;
}

void tst_QPoolLifetime::processEndsCleanly()
{
    QFETCH(QString, name);
    VERIFY_CLEAN_EXIT(runChild(name));
    VERIFY_CLEAN_EXIT(runChild(name, { { "QT_POOL_ALLOCATOR", "0" } }));
}

// The pool takes a smaller range, or none, and leaves the program enough. In small steps, because the
// rest of one size is too little for the next.
void tst_QPoolLifetime::runsInLittleAddressSpace()
{
    for (rlim_t megabytes = 256; megabytes <= 640; megabytes += 8) {
        const ChildResult result = runChild("live objects", {}, [=] {
            const rlimit space = { megabytes << 20, megabytes << 20 };
            setrlimit(RLIMIT_AS, &space);
        });
        if (result.exitCode != 0)
            qWarning("With %d MB:", int(megabytes));
        VERIFY_CLEAN_EXIT(result);
    }
}

namespace {

// In the child of fork(): not 0 if something does not work. No QTest here, it is the parent's.
int checkChild(QEvent *inherited)
{
    const ClassStatistics before = snapshot().statistics("event", sizeof(Event));
    delete inherited;
    Receiver receiver;
    for (int i = 0; i < 1000; ++i)
        QCoreApplication::postEvent(&receiver, new Event);
    QCoreApplication::sendPostedEvents(&receiver);
    if (receiver.received() != 1000)
        return 1;
    const ClassStatistics after = snapshot().statistics("event", sizeof(Event));
    if (!(after - before == ClassStatistics { 1000, 1001, 0, -1 }))
        return 2;
    std::unique_ptr<QEvent> elsewhere;
    std::thread([&] {
        useThePool();
        elsewhere.reset(new Event);
    }).join();
    if (!isPooled(elsewhere.get()))
        return 3;
    elsewhere.reset();
    qt_pool_allocator_idle();
    qt_pool_allocator_trim();
    return snapshot().root()["pid"].toInteger() == getpid() ? 0 : 4;
}

} // namespace

void tst_QPoolLifetime::childOfForkUsesThePool_data()
{
    QTest::addColumn<int>("threads");
    QTest::newRow("one thread") << 0;
    QTest::newRow("others allocate") << 2;
}

void tst_QPoolLifetime::childOfForkUsesThePool()
{
    QFETCH(int, threads);
    std::atomic<bool> stop { false };
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) {
        running.emplace_back([&] {
            // Of another class than the child counts; threads that start and end take every lock.
            while (!stop) {
                delete new SizedEvent<768>;
                std::thread([] { delete new SizedEvent<768>; }).join();
                qt_pool_allocator_trim();
            }
        });
    }
    int failed = 0;
    for (int i = 0; i < 50 && !failed; ++i) {
        auto *inherited = new Event;
        const pid_t child = ::fork();
        if (child == 0)
            _exit(checkChild(inherited));
        delete inherited;
        int status = -1;
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
            failed = -1;
        else
            failed = WEXITSTATUS(status);
    }
    stop = true;
    for (std::thread &thread : running)
        thread.join();
    QCOMPARE(failed, 0);
}

QPOOL_TEST_MAIN_WITH_CHILDREN(tst_QPoolLifetime, runEnding)
#include "tst_qpoollifetime.moc"
