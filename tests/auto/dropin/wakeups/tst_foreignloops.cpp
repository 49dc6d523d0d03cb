// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../corelib/shared/threads.h"
#include "../shared/watchdog.h"

#include <QtTest/QTest>

// Before GLib's headers, which have a member of that name.
#undef signals
#include <glib.h>

#include <vector>

// Qt's events in a GLib context that other code runs, or shares.
class tst_ForeignLoops : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void mainLoopOfGlibDelivers();
    void eventLoopInsideACallbackDelivers();
    void mainLoopInsideAHandlerDelivers();
    void wakesSourcesThatOnlyCheck();
    void keepsAWakeUpBetweenTheLooks();
    void deliversBesideAHigherPriority();
    void aLoopInsideALookDoesNotRun();
    void iterationByHandDelivers();
    void deliversIfAnotherThreadIterates();
};

namespace {

void post(QObject *receiver)
{
    QCoreApplication::postEvent(receiver, new QEvent(QEvent::User));
}

// Answers each event up to a number; the poster waits for the answer, so the loop sleeps between two
// events.
class Answering : public QObject
{
public:
    Answering(int enough, std::function<void()> end) : m_left(enough), m_end(std::move(end)) { }

    // In a separate thread.
    auto poster()
    {
        return [this, times = m_left] {
            for (int i = 0; i < times; ++i) {
                post(this);
                m_answers.acquire();
            }
        };
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        m_answers.release();
        if (--m_left == 0)
            m_end();
        return true;
    }

private:
    int m_left;
    std::function<void()> m_end;
    QSemaphore m_answers;
};

struct MainLoop
{
    GMainLoop *loop = g_main_loop_new(nullptr, FALSE);
    ~MainLoop() { g_main_loop_unref(loop); }
    void run() { g_main_loop_run(loop); }
    void quit() { g_main_loop_quit(loop); }
};

// A GSource made of three functions.
struct Source
{
    GSource source;
    std::function<bool()> prepare, check;
    std::function<void()> dispatch;

    static Source *create(int priority = G_PRIORITY_DEFAULT)
    {
        static GSourceFuncs functions = {
            [](GSource *source, gint *timeout) -> gboolean {
                *timeout = -1;
                return reinterpret_cast<Source *>(source)->prepare();
            },
            [](GSource *source) -> gboolean {
                return reinterpret_cast<Source *>(source)->check();
            },
            [](GSource *source, GSourceFunc, gpointer) -> gboolean {
                reinterpret_cast<Source *>(source)->dispatch();
                return G_SOURCE_CONTINUE;
            },
            [](GSource *source) {
                auto *self = reinterpret_cast<Source *>(source);
                self->prepare.~function();
                self->check.~function();
                self->dispatch.~function();
            },
            nullptr,
            nullptr
        };
        GSource *source = g_source_new(&functions, sizeof(Source));
        auto *self = reinterpret_cast<Source *>(source);
        new (&self->prepare) std::function<bool()>([] { return false; });
        new (&self->check) std::function<bool()>([] { return false; });
        new (&self->dispatch) std::function<void()>([] {});
        g_source_set_priority(source, priority);
        return self;
    }

    void attach() { g_source_attach(&source, nullptr); }

    void remove()
    {
        g_source_destroy(&source);
        g_source_unref(&source);
    }
};

} // namespace

void tst_ForeignLoops::initTestCase()
{
    if (!isGlib())
        QSKIP("This is about GLib's loops.");
    QCoreApplication::processEvents();
}

void tst_ForeignLoops::mainLoopOfGlibDelivers()
{
    Watchdog watchdog("an event posted to a thread in g_main_loop_run()");
    MainLoop loop;
    Answering answering(5000, [&] { loop.quit(); });
    Beside poster(answering.poster());
    loop.run();
}

void tst_ForeignLoops::eventLoopInsideACallbackDelivers()
{
    Watchdog watchdog("an event loop opened by a callback of GLib's");
    MainLoop loop;
    auto callback = [](gpointer data) -> gboolean {
        QEventLoop nested;
        Answering answering(1000, [&] { nested.quit(); });
        Beside poster(answering.poster());
        nested.exec();
        static_cast<MainLoop *>(data)->quit();
        return G_SOURCE_REMOVE;
    };
    g_idle_add(callback, &loop);
    loop.run();
}

void tst_ForeignLoops::mainLoopInsideAHandlerDelivers()
{
    Watchdog watchdog("a main loop of GLib's opened by an event handler");
    QEventLoop outer;
    Answering opening(1, [&] {
        MainLoop loop;
        Answering answering(1000, [&] { loop.quit(); });
        Beside poster(answering.poster());
        loop.run();
        outer.quit();
    });
    post(&opening);
    outer.exec();
}

void tst_ForeignLoops::wakesSourcesThatOnlyCheck()
{
    // Two that look only after the poll, and count on Qt's wakeUp() to get there.
    Watchdog watchdog("a source that looks only after the poll");
    constexpr int times = 5000;
    struct Checking
    {
        std::atomic<bool> wanted { false };
        int dispatched = 0;
        QSemaphore answers;
        Source *source = Source::create();
    } sources[2];
    QEventLoop loop;
    int left = 2 * times;
    for (Checking &one : sources) {
        one.source->check = [&one] { return one.wanted.load(); };
        one.source->dispatch = [&] {
            one.wanted = false;
            ++one.dispatched;
            if (--left == 0)
                loop.quit();
            one.answers.release();
        };
        one.source->attach();
    }
    Receiver busy;
    auto waker = [&busy, waiting = dispatcher()](Checking &one) {
        return [&busy, &one, waiting] {
            for (int i = 0; i < times; ++i) {
                if (i % 2)
                    post(&busy); // so that the loop is met in all it does
                one.wanted = true;
                waiting->wakeUp();
                one.answers.acquire();
            }
        };
    };
    {
        Beside first(waker(sources[0]));
        Beside second(waker(sources[1]));
        loop.exec();
    }
    for (Checking &one : sources) {
        one.source->remove();
        QCOMPARE(one.dispatched, times);
    }
}

void tst_ForeignLoops::keepsAWakeUpBetweenTheLooks()
{
    // After the poll GLib asks the sources one after the other. One has already been checked when
    // the loop, which was woken once, is woken for it; only then is Qt's own asked.
    Watchdog watchdog("a source that had looked already");
    constexpr int times = 200;
    std::atomic<bool> armed { false };
    bool wanted = false;
    int dispatched = 0;
    QSemaphore waits;
    QEventLoop loop;
    Source *looking = Source::create(G_PRIORITY_DEFAULT - 1);
    looking->check = [&] { return wanted; };
    looking->dispatch = [&] {
        wanted = false;
        if (++dispatched == times)
            loop.quit();
        waits.release();
    };
    looking->attach();
    Source *waking = Source::create(G_PRIORITY_DEFAULT - 1);
    waking->check = [&] {
        if (armed.exchange(false)) {
            wanted = true;
            dispatcher()->wakeUp();
        }
        return false;
    };
    waking->attach();
    waits.release();
    {
        Beside waker([&, waiting = dispatcher()] {
            for (int i = 0; i < times; ++i) {
                waits.acquire();
                // Until poll() is reached, mostly.
                for (volatile int spin = 0; spin < 1000 * (i % 50); ++spin) { }
                armed = true;
                waiting->wakeUp();
            }
        });
        loop.exec();
    }
    looking->remove();
    waking->remove();
    QCOMPARE(dispatched, times);
}

void tst_ForeignLoops::deliversBesideAHigherPriority()
{
    // While such a source is ready, GLib asks no other, before the poll or after it.
    Watchdog watchdog("events beside a source of higher priority");
    QEventLoop loop;
    Answering answering(3000, [&] { loop.quit(); });
    QSemaphore posted;
    int turn = 0;
    Source *before = Source::create(G_PRIORITY_HIGH);
    before->prepare = [&] { return ++turn % 3 == 0; };
    Source *after = Source::create(G_PRIORITY_HIGH);
    after->check = [&] { return turn % 5 == 0; };
    before->attach();
    after->attach();
    {
        Beside poster(answering.poster());
        loop.exec();
    }
    before->remove();
    after->remove();
}

void tst_ForeignLoops::aLoopInsideALookDoesNotRun()
{
    // After Qt's source was asked, so within its wait. GLib refuses, and complains.
    Watchdog watchdog("events beside a source whose looks run the loop");
    const auto ignore = [](const gchar *, GLogLevelFlags, const gchar *, gpointer) {};
    const guint handler = g_log_set_handler("GLib", G_LOG_LEVEL_WARNING, ignore, nullptr);
    QEventLoop loop;
    Answering answering(1000, [&] { loop.quit(); });
    int looks = 0;
    bool ran = false;
    Source *looking = Source::create(G_PRIORITY_LOW);
    looking->prepare = looking->check = [&] {
        ++looks;
        ran |= dispatcher()->processEvents(QEventLoop::AllEvents);
        return false;
    };
    looking->attach();
    {
        Beside poster(answering.poster());
        loop.exec();
    }
    looking->remove();
    g_log_remove_handler("GLib", handler);
    QVERIFY(looks > 0);
    QVERIFY(!ran);
}

void tst_ForeignLoops::iterationByHandDelivers()
{
    Watchdog watchdog("a context whose steps somebody else takes");
    bool over = false;
    Answering answering(2000, [&] { over = true; });
    Beside poster(answering.poster());
    GMainContext *context = g_main_context_default();
    std::vector<GPollFD> fds(16);
    while (!over) {
        QVERIFY(g_main_context_acquire(context));
        gint priority = 0, timeout = 0;
        g_main_context_prepare(context, &priority);
        const gint count = g_main_context_query(context, priority, &timeout, fds.data(),
                                                gint(fds.size()));
        QVERIFY(count <= gint(fds.size()));
        g_poll(fds.data(), guint(count), timeout);
        g_main_context_check(context, priority, fds.data(), count);
        g_main_context_dispatch(context);
        g_main_context_release(context);
    }
}

void tst_ForeignLoops::deliversIfAnotherThreadIterates()
{
    // It cannot deliver this thread's events, but must not make them be forgotten.
    Watchdog watchdog("events of a thread whose context another thread has run");
    Receiver receiver;
    for (int i = 0; i < 200; ++i) {
        post(&receiver);
        {
            Beside other([&] {
                for (int turn = 0; turn < 5; ++turn)
                    g_main_context_iteration(nullptr, FALSE);
                post(&receiver);
                g_main_context_iteration(nullptr, FALSE);
            });
        }
        while (receiver.received() < 2 * (i + 1))
            dispatcher()->processEvents(QEventLoop::WaitForMoreEvents);
    }
}

QTEST_GUILESS_MAIN(tst_ForeignLoops)
#include "tst_foreignloops.moc"
