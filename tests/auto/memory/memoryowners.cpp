// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Takes memory from one owner for each line on standard input, such as "stack 4", and prints "ready" when its
// loop is about to sleep again. The number is of mebibytes, or of objects.

#include <QtCore/QCoreApplication>
#include <QtCore/QSocketNotifier>
#include <QtCore/QThread>
#include <QtQml/QJSEngine>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

QJSEngine *engine;
char *place = nullptr; // the last mapping

constexpr std::size_t Mebibyte = 1 << 20;

[[noreturn]] void fail(const char *what)
{
    std::perror(what);
    std::exit(1);
}

void touch(void *memory, std::size_t bytes, bool write)
{
    auto *bytesOf = static_cast<volatile char *>(memory);
    for (std::size_t i = 0; i < bytes; i += 4096) {
        if (write)
            bytesOf[i] = char(i | 1);
        else
            static_cast<void>(bytesOf[i]);
    }
}

char *map(std::size_t bytes, int protection, int flags, int file)
{
    void *memory = mmap(nullptr, bytes, protection, flags, file, 0);
    if (memory == MAP_FAILED)
        fail("mmap");
    return place = static_cast<char *>(memory);
}

int filled(int file, std::size_t bytes)
{
    static const std::string text(Mebibyte, 'x'); // kept, so that orders do not take and free it
    for (std::size_t i = 0; i < bytes; i += Mebibyte) {
        if (file < 0 || write(file, text.data(), text.size()) != ssize_t(text.size()))
            fail("write");
    }
    return file;
}

int memoryFile(std::size_t bytes, const char *name = "owners\n\x1b[31m")
{
    return filled(memfd_create(name, MFD_CLOEXEC), bytes);
}

int diskFile(std::size_t bytes)
{
    return filled(open(qgetenv("QPOOL_MEMORY_FOLDER").constData(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600), bytes);
}

// All of an array on the stack, in a thread that stays.
void takeStack(std::size_t bytes)
{
    static std::mutex lock;
    static std::condition_variable changed;
    static int taken = 0;
    std::unique_lock<std::mutex> locker(lock);
    const int before = taken;
    std::thread([bytes] {
        void *array = __builtin_alloca(bytes);
        touch(array, bytes, true);
        std::unique_lock<std::mutex> own(lock);
        ++taken;
        changed.notify_all();
        changed.wait(own, [] { return false; });
    }).detach();
    changed.wait(locker, [before] { return taken > before; });
}

// Calls that stay in the queue of a thread that never runs.
void takeEvents(int count)
{
    static auto *thread = new QThread;
    static auto *object = new QObject;
    object->moveToThread(thread);
    for (int i = 0; i < count; ++i)
        QMetaObject::invokeMethod(object, [] { }, Qt::QueuedConnection);
}

void take(const char *owner, int number)
{
    const std::size_t bytes = number * Mebibyte;
    const int privately = MAP_PRIVATE | MAP_ANONYMOUS;
    if (!std::strcmp(owner, "objects")) {
        for (int i = 0; i < number; ++i)
            new QObject;
    } else if (!std::strcmp(owner, "events")) {
        takeEvents(number);
    } else if (!std::strcmp(owner, "small")) { // blocks of 512 bytes
        for (std::size_t i = 0; i < bytes; i += 512)
            *static_cast<char *volatile *>(std::malloc(512)) = nullptr;
    } else if (!std::strcmp(owner, "large")) {
        touch(std::malloc(bytes), bytes, true);
    } else if (!std::strcmp(owner, "script")) { // objects
        const QString text = QStringLiteral("var kept = []; for (let i = 0; i < %1; ++i) kept.push({ a: i, b: i });");
        if (engine->evaluate(text.arg(number)).isError())
            fail("script");
    } else if (!std::strcmp(owner, "check")) { // these objects, by a function that is called often enough for the JIT
        const QString text = QStringLiteral("function both(one) { return one.a + one.b; }"
                                            "var sum = 0; for (const one of kept) sum += both(one); sum;");
        if (engine->evaluate(text).toNumber() != double(number) * (number - 1))
            fail("check");
    } else if (!std::strcmp(owner, "collect")) {
        engine->evaluate(QStringLiteral("kept = null;"));
        engine->collectGarbage();
    } else if (!std::strcmp(owner, "code")) {
        touch(map(bytes, PROT_READ | PROT_WRITE | PROT_EXEC, privately, -1), bytes, true);
    } else if (!std::strcmp(owner, "stack")) {
        takeStack(bytes);
    } else if (!std::strcmp(owner, "file")) {
        touch(map(bytes, PROT_READ, MAP_PRIVATE, diskFile(bytes)), bytes, false);
    } else if (!std::strcmp(owner, "changed")) {
        touch(map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, diskFile(bytes)), bytes, true);
    } else if (!std::strcmp(owner, "shared")) {
        touch(map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memoryFile(bytes)), bytes, true);
    } else if (!std::strcmp(owner, "open")) { // not mapped
        memoryFile(bytes);
    } else if (!std::strcmp(owner, "forged")) { // a mapping that only claims to be JavaScript's
        touch(map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memoryFile(bytes, "JSGCHeap:QtQml")), bytes, true);
    }
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QJSEngine theEngine;
    engine = &theEngine;
    close(filled(memfd_create("first", MFD_CLOEXEC), Mebibyte));
    QSocketNotifier input(0, QSocketNotifier::Read);
    const auto say = [] {
        std::puts("ready");
        std::fflush(stdout);
    };
    QObject::connect(&input, &QSocketNotifier::activated, &app, [&] {
        char line[64];
        char owner[32];
        int number = 0;
        if (!std::fgets(line, sizeof(line), stdin)) {
            QCoreApplication::quit();
            return;
        }
        if (std::sscanf(line, "%31s %d", owner, &number) == 2)
            take(owner, number);
        QMetaObject::invokeMethod(&app, say, Qt::QueuedConnection);
    });
    QMetaObject::invokeMethod(&app, say, Qt::QueuedConnection);
    std::setvbuf(stdin, nullptr, _IONBF, 0);
    return app.exec();
}
