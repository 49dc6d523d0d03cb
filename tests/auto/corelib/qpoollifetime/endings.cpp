// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "endings.h"

#include "../shared/pool.h"
#include "../shared/threads.h"

#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Leaks the objects that it keeps, which stay reachable to the end.
template <class Type>
Type *keep(Type *object)
{
    static auto *kept = new std::vector<void *>;
    kept->push_back(object);
    return object;
}

void useThePool()
{
    std::vector<std::unique_ptr<QObject>> objects;
    for (int i = 0; i < 100; ++i) {
        objects.emplace_back(new QObject);
        delete new SizedEvent<64>;
    }
}

// Handlers that the program registers before it uses the pool, and that need more memory than the arena
// has free. Active only in one of the endings.
struct ForkHandlers
{
    ForkHandlers() { pthread_atfork(makeSome<328>, makeSome<392>, makeSome<456>); }

    template <int size>
    static void makeSome()
    {
        std::vector<std::unique_ptr<QEvent>> events;
        for (int i = 0; areAtWork && i < 100; ++i)
            events.emplace_back(new SizedEvent<size>);
    }

    static inline bool areAtWork = false;
};

const ForkHandlers forkHandlers;

// Uses the pool when it is destroyed, and owns a chunk of it.
struct LateUser
{
    ~LateUser()
    {
        useThePool();
        if (thread.joinable())
            thread.join();
        std::thread(useThePool).join();
    }

    std::unique_ptr<QObject> object { new QObject };
    std::unique_ptr<QEvent> event { new SizedEvent<64> };
    std::thread thread;
};

// Made before main(), destroyed after it, and used by every part.
LateUser globalUser;

int liveObjects(QCoreApplication &)
{
    keep(new QObject);
    keep(new SizedEvent<64>);
    auto *receiver = keep(new Receiver);
    for (int i = 0; i < 100; ++i)
        QCoreApplication::postEvent(receiver, new SizedEvent<64>);
    std::thread([] {
        auto *elsewhere = keep(new Receiver);
        for (int i = 0; i < 100; ++i)
            QCoreApplication::postEvent(elsewhere, new SizedEvent<64>);
    }).join();
    return 0;
}

int exitCalled(QCoreApplication &app)
{
    liveObjects(app);
    std::exit(0);
}

int exitCalledInAThread(QCoreApplication &app)
{
    liveObjects(app);
    std::thread([] {
        useThePool();
        std::exit(0);
    }).join();
    return 1;
}

int atExit(QCoreApplication &)
{
    keep(new QObject);
    return std::atexit(useThePool);
}

// Another thread is using the pool when the process ends.
int runningThread(QCoreApplication &)
{
    auto *begun = keep(new QSemaphore);
    std::thread([=] {
        useThePool();
        begun->release();
        for (;;)
            delete new SizedEvent<64>;
    }).detach();
    begun->acquire();
    return 0;
}

// Frees events of the main thread's arena meanwhile.
int freeingThread(QCoreApplication &)
{
    auto *begun = keep(new QSemaphore);
    auto *events = keep(new std::vector<QEvent *>);
    for (int i = 0; i < 10000; ++i)
        events->push_back(new SizedEvent<64>);
    std::thread([=] {
        begun->release();
        qDeleteAll(*events);
    }).detach();
    begun->acquire();
    return 0;
}

int threadEndsDuringExit(QCoreApplication &)
{
    globalUser.thread = std::thread(useThePool);
    return 0;
}

int staticLocals(QCoreApplication &)
{
    static LateUser user;
    static thread_local LateUser threadUser;
    return user.event->type() == threadUser.event->type() ? 0 : 1;
}

int sleepingEventThread(QCoreApplication &)
{
    auto *thread = keep(new EventThread);
    for (int i = 0; i < 1000; ++i)
        QCoreApplication::postEvent(thread->receiver(), new SizedEvent<64>);
    thread->waitForIdle();
    return 0;
}

int forkedWithHandlers(QCoreApplication &)
{
    const std::unique_ptr<QEvent> event(new SizedEvent<520>);
    ForkHandlers::areAtWork = true;
    const pid_t child = ::fork();
    ForkHandlers::areAtWork = false;
    useThePool();
    if (child == 0)
        _exit(0);
    int status = -1;
    return waitpid(child, &status, 0) == child ? status : -1;
}

Q_GLOBAL_STATIC(QObject, globalObject)

int globalStatic(QCoreApplication &)
{
    for (int i = 0; i < 100; ++i)
        new QObject(globalObject());
    return 0;
}

int trimmed(QCoreApplication &app)
{
    liveObjects(app);
    std::atexit([] {
        qt_pool_allocator_idle();
        qt_pool_allocator_trim();
        useThePool();
    });
    return 0;
}

struct Ending
{
    const char *name;
    int (*run)(QCoreApplication &);
};

constexpr Ending table[] = {
    { "live objects", liveObjects },
    { "exit()", exitCalled },
    { "exit() in a thread", exitCalledInAThread },
    { "atexit()", atExit },
    { "running thread", runningThread },
    { "freeing thread", freeingThread },
    { "thread that ends during exit", threadEndsDuringExit },
    { "static locals", staticLocals },
    { "sleeping event thread", sleepingEventThread },
    { "fork() with handlers", forkedWithHandlers },
    { "fork() in a signal handler", forkedInSignalHandler },
    { "Q_GLOBAL_STATIC", globalStatic },
    { "trimmed", trimmed },
};

} // namespace

QStringList endings()
{
    QStringList names;
    for (const Ending &ending : table)
        names.append(QLatin1String(ending.name));
    return names;
}

int runEnding(const QByteArray &name, int &argc, char **argv)
{
    QCoreApplication app(argc, argv);
    useThePool();
    for (const Ending &ending : table) {
        if (name == ending.name)
            return ending.run(app);
    }
    return 127;
}
