// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../corelib/shared/threads.h"
#include "../shared/watchdog.h"

#include <QtCore/QFile>
#include <QtCore/QLibraryInfo>
#include <QtCore/QPointer>
#include <QtCore/QSocketNotifier>
#include <QtCore/QTimer>
#include <QtCore/QVersionNumber>
#include <QtTest/QTest>

#include <csignal>
#include <thread>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

// No request to an event loop is forgotten, however it is made, and whatever the loop is doing.
// This also holds for stock Qt, on which the test runs, too.
class tst_WakeUps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void wakeUpBeforeTheWaitEndsIt();
    void wakeUpDuringTheWaitEndsIt();
    void aSignalHandlerCanWakeTheLoop();
    void postsWhileAboutToBlockArrive();
    void loopsWhileAboutToBlockLoseNoEvent();
    void postsByHandlersArrive();
    void nestedLoopsAllEnd();
    void nestedLoopDeliversWhatIsBehind();
    void deliversPostsWithAnyFlags_data();
    void deliversPostsWithAnyFlags();
    void timersFireBesidePosts();
    void notifiersFireBesidePosts();
    void notifiersThatAnOuterTurnLeftFire();
    void threadsThatEndAtOnceDoNotHang();
    void aTerminatedThreadLeavesNoLoopAsleep();
};

namespace {

void post(QObject *receiver)
{
    QCoreApplication::postEvent(receiver, new QEvent(QEvent::User));
}

// Calls \a function for each event that it gets.
template <class Function>
class Handler : public QObject
{
public:
    explicit Handler(Function function) : m_function(std::move(function)) { }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        m_function();
        return true;
    }

private:
    Function m_function;
};

// Posts to itself for ever, within the loop, so that there is always something to deliver.
class Flood : public QObject
{
public:
    Flood() { post(this); }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        post(this);
        return true;
    }
};

} // namespace

void tst_WakeUps::initTestCase()
{
    const QByteArray expected = qgetenv("QPOOL_EXPECTED_DISPATCHER");
    const QByteArray name = dispatcher()->metaObject()->className();
    QVERIFY2(name.contains(expected), name.constData());
    // The first turn is a special one.
    QCoreApplication::processEvents();
}

void tst_WakeUps::wakeUpBeforeTheWaitEndsIt()
{
    Watchdog watchdog("a wait that was called off beforehand");
    for (int i = 0; i < 100; ++i) {
        dispatcher()->wakeUp();
        dispatcher()->processEvents(QEventLoop::WaitForMoreEvents);
    }
}

void tst_WakeUps::wakeUpDuringTheWaitEndsIt()
{
    Watchdog watchdog("wakeUp() by another thread");
    constexpr int times = 2000;
    QSemaphore waits;
    QAbstractEventDispatcher *loop = dispatcher();
    QObject context;
    connect(loop, &QAbstractEventDispatcher::aboutToBlock, &context, [&] { waits.release(); });
    Beside waker([&] {
        for (int i = 0; i < times; ++i) {
            waits.acquire();
            loop->wakeUp();
        }
    });
    for (int i = 0; i < times; ++i) {
        // The wake-up for an earlier wait may end this one, too.
        dispatcher()->processEvents(QEventLoop::WaitForMoreEvents);
    }
}

namespace {
QAbstractEventDispatcher *s_interrupted = nullptr;
void wakeUpTheInterrupted(int)
{
    s_interrupted->wakeUp();
}
} // namespace

void tst_WakeUps::aSignalHandlerCanWakeTheLoop()
{
    // In the thread that sleeps: that it calls itself does not mean that it is awake.
    Watchdog watchdog("wakeUp() by a signal handler");
    constexpr int times = 500;
    s_interrupted = dispatcher();
    struct sigaction action = {}, before = {};
    action.sa_handler = wakeUpTheInterrupted;
    QCOMPARE(sigaction(SIGUSR1, &action, &before), 0);
    QSemaphore waits;
    QObject context;
    connect(dispatcher(), &QAbstractEventDispatcher::aboutToBlock, &context,
            [&] { waits.release(); });
    const pthread_t self = pthread_self();
    {
        Beside sender([&] {
            for (int i = 0; i < times; ++i) {
                waits.acquire();
                // Until poll() is reached, or nearly so.
                for (volatile int spin = 0; spin < 200 * (i % 50); ++spin) { }
                pthread_kill(self, SIGUSR1);
            }
        });
        for (int i = 0; i < times; ++i)
            dispatcher()->processEvents(QEventLoop::WaitForMoreEvents);
    }
    sigaction(SIGUSR1, &before, nullptr);
}

void tst_WakeUps::postsWhileAboutToBlockArrive()
{
    Watchdog watchdog("an event posted by a slot of aboutToBlock()");
    QEventLoop loop;
    Handler quitter([&] { loop.quit(); });
    QObject context;
    connect(dispatcher(), &QAbstractEventDispatcher::aboutToBlock, &context, [&] {
        post(&quitter);
    });
    for (int i = 0; i < 100; ++i)
        loop.exec();
}

// The inner loop ends the wait of the outer one, which has not begun yet.
void tst_WakeUps::loopsWhileAboutToBlockLoseNoEvent()
{
    Watchdog watchdog("an event posted after a loop within aboutToBlock()");
    QEventLoop loop;
    Handler quitter([&] { loop.quit(); });
    Handler nothing([] { });
    QObject context;
    int inner = 0;
    connect(dispatcher(), &QAbstractEventDispatcher::aboutToBlock, &context, [&] {
        // A loop that waits itself would get here again.
        for (int i = 0; i < inner; ++i) {
            post(&nothing);
            QCoreApplication::processEvents();
        }
        post(&quitter);
    });
    for (inner = 0; inner < 4; ++inner) {
        for (int i = 0; i < 25; ++i)
            loop.exec();
    }

    // The same from another thread, when the outer loop sleeps already.
    disconnect(dispatcher(), nullptr, &context, nullptr);
    connect(dispatcher(), &QAbstractEventDispatcher::aboutToBlock, &context, [&] {
        post(&nothing);
        QCoreApplication::processEvents();
    });
    for (int i = 0; i < 100; ++i) {
        std::thread poster([&] { post(&quitter); });
        loop.exec();
        poster.join();
    }
}

void tst_WakeUps::postsByHandlersArrive()
{
    Watchdog watchdog("an event posted by a handler");
    QEventLoop loop;
    int left = 10'000;
    QPointer<QObject> chain;
    Handler handler([&] {
        if (--left)
            post(chain);
        else
            loop.quit();
    });
    chain = &handler;
    post(chain);
    loop.exec();
    QCOMPARE(left, 0);
}

void tst_WakeUps::nestedLoopsAllEnd()
{
    Watchdog watchdog("nested loops");
    constexpr int depth = 20;
    int level = 0;
    EventThread thread;
    QObject *self = this;
    std::function<void()> descend = [&] {
        if (++level == depth)
            return;
        QEventLoop loop;
        // Let another thread open the next one in here, and then end this.
        QMetaObject::invokeMethod(
                thread.receiver(),
                [&] {
                    QMetaObject::invokeMethod(self, descend, Qt::QueuedConnection);
                    QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
                },
                Qt::QueuedConnection);
        loop.exec();
    };
    descend();
    QCOMPARE(level, depth);
}

void tst_WakeUps::nestedLoopDeliversWhatIsBehind()
{
    // Events in the list behind the event whose handler opens a loop must be delivered in that
    // loop, as in stock Qt.
    if (isGlib() && QLibraryInfo::version() < QVersionNumber(6, 11))
        QSKIP("Qt's dispatcher for GLib does not, before 6.11.");
    Watchdog watchdog("the events behind one whose handler opened a loop");
    QEventLoop loop;
    Handler opener([&] { loop.exec(); });
    Handler other([] {});
    Handler quitter([&] { loop.quit(); });
    for (int i = 0; i < 100; ++i) {
        post(&opener);
        post(&other);
        post(&quitter);
        QCoreApplication::processEvents();
    }
}

void tst_WakeUps::deliversPostsWithAnyFlags_data()
{
    QTest::addColumn<QEventLoop::ProcessEventsFlags>("flags");
    using Flags = QEventLoop::ProcessEventsFlags;
    const Flags each[] = { QEventLoop::AllEvents, QEventLoop::ExcludeUserInputEvents,
                           QEventLoop::ExcludeSocketNotifiers, QEventLoop::X11ExcludeTimers,
                           QEventLoop::EventLoopExec };
    for (Flags one : each) {
        for (Flags other : each) {
            const Flags flags = one | other;
            QTest::addRow("%#x", int(flags)) << flags;
            QTest::addRow("%#x, waiting", int(flags | QEventLoop::WaitForMoreEvents))
                    << (flags | QEventLoop::WaitForMoreEvents);
        }
    }
}

void tst_WakeUps::deliversPostsWithAnyFlags()
{
    QFETCH(QEventLoop::ProcessEventsFlags, flags);
    Watchdog watchdog("an event posted during processEvents()");
    int received = 0;
    // A wait may begin after the last event was delivered, in the same processEvents().
    Handler handler([&] {
        if (++received == 100)
            dispatcher()->wakeUp();
    });
    Beside poster([&] {
        for (int i = 0; i < 100; ++i)
            post(&handler);
    });
    while (received < 100)
        dispatcher()->processEvents(flags);
    // And by the thread itself, with nothing else to wake it.
    post(&handler);
    dispatcher()->processEvents(flags);
    QCOMPARE(received, 101);
}

void tst_WakeUps::timersFireBesidePosts()
{
    Watchdog watchdog("timers while there is always an event to deliver");
    Flood flood;
    QEventLoop loop;
    QTimer zero, later;
    int zeros = 0, laters = 0;
    connect(&zero, &QTimer::timeout, &loop, [&] { ++zeros; });
    connect(&later, &QTimer::timeout, &loop, [&] {
        if (++laters == 10)
            loop.quit();
    });
    zero.start(0);
    later.start(2);
    loop.exec();
    QVERIFY(zeros > 0);
}

void tst_WakeUps::notifiersFireBesidePosts()
{
    Watchdog watchdog("a socket notifier while there is always an event to deliver");
    int ends[2];
    QCOMPARE(pipe(ends), 0);
    {
        Flood flood;
        QEventLoop loop;
        int bytes = 0;
        QSocketNotifier notifier(ends[0], QSocketNotifier::Read);
        connect(&notifier, &QSocketNotifier::activated, &loop, [&] {
            char byte;
            bytes += int(::read(ends[0], &byte, 1));
            if (bytes == 1000)
                loop.quit();
        });
        Beside writer([&] {
            for (int i = 0; i < 1000; ++i) {
                if (::write(ends[1], "x", 1) != 1)
                    qFatal("the pipe is broken");
            }
        });
        loop.exec();
        QCOMPARE(bytes, 1000);
    }
    ::close(ends[0]);
    ::close(ends[1]);
}

// Two descriptors are ready. The slot of the first notifier reads both, so that no poll returns for the second, posts an
// event, and runs a loop until the second notifier has fired.
void tst_WakeUps::notifiersThatAnOuterTurnLeftFire()
{
    if (dispatcher()->inherits("QEventDispatcherGlib"))
        QSKIP("stock Qt's GLib dispatcher asks each descriptor again");
    Watchdog watchdog("a notifier that an outer turn has left");
    int pipes[2][2];
    for (int *pipe : pipes) {
        QCOMPARE(::pipe(pipe), 0);
        QCOMPARE(::write(pipe[1], "x", 1), 1);
    }
    QEventLoop outer;
    QEventLoop inner;
    Handler receiver([] { });
    int fired = 0;
    const auto fire = [&] {
        if (++fired == 2)
            return inner.quit();
        char byte;
        for (const int *pipe : pipes)
            QCOMPARE(::read(pipe[0], &byte, 1), 1);
        post(&receiver);
        inner.exec();
        outer.quit();
    };
    QSocketNotifier first(pipes[0][0], QSocketNotifier::Read);
    QSocketNotifier second(pipes[1][0], QSocketNotifier::Read);
    connect(&first, &QSocketNotifier::activated, &outer, fire);
    connect(&second, &QSocketNotifier::activated, &outer, fire);
    outer.exec();
    QCOMPARE(fired, 2);
    for (const int *pipe : pipes) {
        ::close(pipe[0]);
        ::close(pipe[1]);
    }
}

void tst_WakeUps::threadsThatEndAtOnceDoNotHang()
{
    // Asked to do something, and to end, before their loops have begun, and while they begin. Not while they end:
    // Qt's postEvent() may then wake a dispatcher that the thread has deleted.
    Watchdog watchdog("threads that end at once");
    for (int i = 0; i < 200; ++i) {
        Receiver receiver;
        QThread thread;
        receiver.moveToThread(&thread);
        if (i % 3 == 0)
            post(&receiver);
        thread.start();
        post(&receiver);
        if (i % 2)
            QMetaObject::invokeMethod(&receiver, [] {}, Qt::BlockingQueuedConnection);
        thread.quit();
        thread.wait();
    }
}

// QThread::terminate() takes effect in the next system call that may wait. Stock's UNIX dispatcher then forgets the
// loop.
void tst_WakeUps::aTerminatedThreadLeavesNoLoopAsleep()
{
    if (qEnvironmentVariableIsSet("QPOOL_STOCK") && qgetenv("QPOOL_EXPECTED_DISPATCHER") == "UNIX")
        QSKIP("Stock Qt leaves the loop asleep.");
    Watchdog watchdog("a thread that is cancelled while it wakes a loop");
    QFile status(QStringLiteral("/proc/self/task/%1/stat").arg(syscall(SYS_gettid)));
    QVERIFY(status.open(QIODevice::ReadOnly | QIODevice::Unbuffered));
    QEventLoop loop;
    std::unique_ptr<QThread> thread(QThread::create([&] {
        do { // until this test's thread sleeps
            status.seek(0);
        } while (!status.readAll().contains(") S "));
        QThread::currentThread()->terminate();
        post(&loop);
        pause();
    }));
    connect(thread.get(), &QThread::finished, &loop, &QEventLoop::quit);
    thread->start();
    loop.exec();
    thread->wait();
}

QTEST_GUILESS_MAIN(tst_WakeUps)
#include "tst_wakeups.moc"
