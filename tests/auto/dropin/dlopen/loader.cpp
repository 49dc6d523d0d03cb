// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads QtCore like a plug-in host, without being linked to it, uses its pool by the names of its
// symbols, and unloads it. One argument: how. The exit code is 0 if everything worked; errors are
// printed on stderr.

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>

namespace {

[[noreturn]] void fail(const char *what, const char *why)
{
    std::fprintf(stderr, "%s: %s\n", what, why);
    std::exit(1);
}

// QtCore, and the members of QEvent and QObject, by their names in the Itanium C++ ABI.
class Library
{
public:
    Library()
    {
        m_handle = dlopen("libQt6Core.so.6", RTLD_NOW | RTLD_LOCAL);
        if (!m_handle)
            fail("dlopen", dlerror());
        resolve(snapshot, "qt_pool_allocator_snapshot");
        resolve(owns, "qt_pool_allocator_owns");
        resolve(newObject, "_ZN7QObjectnwEm");
        resolve(constructObject, "_ZN7QObjectC1EPS_");
        resolve(deleteObject, "_ZN7QObjectD0Ev");
        resolve(newEvent, "_ZN6QEventnwEm");
        resolve(freeEvent, "_ZN6QEventdlEPvm");
    }

    void close()
    {
        if (dlclose(m_handle) != 0)
            fail("dlclose", dlerror());
    }

    std::string statistics() const
    {
        std::string text(snapshot(nullptr, 0) + 1000, '\0');
        text.resize(snapshot(&text[0], text.size()));
        return text;
    }

    // Objects and events made and deleted.
    void use() const
    {
        std::vector<void *> objects;
        for (int i = 0; i < 200; ++i) {
            void *event = newEvent(24);
            void *object = newObject(16);
            if (!owns(event) || !owns(object))
                fail("use", "not from the pool");
            constructObject(object, nullptr);
            objects.push_back(object);
            freeEvent(event, 24);
        }
        for (void *object : objects)
            deleteObject(object);
    }

    std::size_t (*snapshot)(char *, std::size_t);
    bool (*owns)(const void *);
    void *(*newObject)(std::size_t);
    void (*constructObject)(void *, void *parent);
    void (*deleteObject)(void *);
    void *(*newEvent)(std::size_t);
    void (*freeEvent)(void *, std::size_t);

private:
    template <class Function>
    void resolve(Function &function, const char *name)
    {
        function = reinterpret_cast<Function>(dlsym(m_handle, name));
        if (!function)
            fail("dlsym", dlerror());
    }

    void *m_handle = nullptr;
};

void loadAndClose()
{
    Library library;
    const std::string text = library.statistics();
    if (text.empty() || text.front() != '{' || text.back() != '}')
        fail("snapshot", text.c_str());
    library.close();
}

void useAndClose()
{
    Library library;
    library.use();
    library.close();
}

void useAndStay()
{
    Library library;
    library.use();
    library.constructObject(library.newObject(16), nullptr);
}

void threadsBefore()
{
    Library library;
    for (int i = 0; i < 10; ++i)
        std::thread([&] { library.use(); }).join();
    library.close();
}

// Threads that used the library end after it was closed.
void threadsAfter()
{
    Library library;
    std::mutex mutex;
    std::condition_variable changed;
    int used = 0;
    bool closed = false;
    void *foreign = library.newEvent(24);
    std::vector<std::thread> threads;
    for (int i = 0; i < 5; ++i) {
        threads.emplace_back([&, i] {
            library.use();
            if (i == 0)
                library.freeEvent(foreign, 24); // in its remote cache, to be sent when it ends
            std::unique_lock<std::mutex> locker(mutex);
            ++used;
            changed.notify_all();
            changed.wait(locker, [&] { return closed; });
        });
    }
    {
        std::unique_lock<std::mutex> locker(mutex);
        changed.wait(locker, [&] { return used == 5; });
        library.close();
        closed = true;
        changed.notify_all();
    }
    for (std::thread &thread : threads)
        thread.join();
}

void again()
{
    for (int i = 0; i < 5; ++i) {
        Library library;
        library.use();
        std::thread([&] { library.use(); }).join();
        library.close();
    }
}

// Loaded in a thread that is gone when the process ends.
void loadedInThread()
{
    std::thread(useAndClose).join();
    std::thread(useAndStay).join();
}

struct Way
{
    const char *name;
    void (*go)();
};

constexpr Way ways[] = {
    { "load", loadAndClose },
    { "use", useAndClose },
    { "stay", useAndStay },
    { "threads before", threadsBefore },
    { "threads after", threadsAfter },
    { "again", again },
    { "in a thread", loadedInThread },
};

} // namespace

int main(int argc, char **argv)
{
    for (const Way &way : ways) {
        if (argc == 2 && std::strcmp(argv[1], way.name) == 0) {
            way.go();
            return 0;
        }
    }
    fail("usage", "one argument, a way to go about it");
}
