// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>
#include <QtCore/QObject>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <semaphore.h>
#include <thread>

// Brings a chunk into each possible state, prints its address and what a debugger should report of
// it, one line each, and aborts.
namespace {

template <std::size_t Size>
struct SizedEvent : QEvent
{
    SizedEvent() : QEvent(QEvent::User) { }
    char payload[Size - sizeof(QEvent)] = {};
};

template <std::size_t Size>
struct SizedObject : QObject
{
    char payload[Size - sizeof(QObject)] = {};
};

void expect(const void *pointer, const char *what)
{
    std::printf("%p %s\n", pointer, what);
}

sem_t made;
constexpr int Count = 64; // as many as a remote cache sends at once
SizedEvent<24> *sent[Count];
SizedEvent<112> *unsent;

void otherThread()
{
    for (auto &event : sent)
        event = new SizedEvent<24>;
    unsent = new SizedEvent<112>;
    sem_post(&made);
    // Stays until the end, so that its arena is not orphaned and trimmed.
    for (sem_t never; ;) {
        sem_init(&never, 0, 0);
        sem_wait(&never);
    }
}

} // namespace

int main()
{
    // Some of a page, freed and given back to it; the rest keeps the page.
    SizedEvent<104> *events[10];
    for (auto &event : events)
        event = new SizedEvent<104>;
    for (int i = 0; i < 5; ++i)
        delete events[i];
    qt_pool_allocator_trim();
    expect(events[0], "free, in its page's list; class 104 event");
    expect(events[9], "live; class 104 event");
    expect(&events[9]->payload[4], "live; class 104 event; inside");
    expect(reinterpret_cast<void *>((reinterpret_cast<std::uintptr_t>(events[9]) | 0xffff) - 600),
           "free, was never handed out; class 104 event");
    expect(reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(events[9]) | 0xffff),
           "behind the last chunk");

    auto *object = new SizedObject<200>;
    expect(object, "live; class 224 object");
    expect(reinterpret_cast<void **>(object)[1], "live; class 120 private");
    auto *freed = new SizedObject<320>;
    delete freed;
    expect(freed, "free, in its arena's magazine; class 320 object");

    sem_init(&made, 0, 0);
    std::thread(otherThread).detach();
    sem_wait(&made);
    for (auto *event : sent)
        delete event;
    delete unsent;
    expect(sent[0], "in its arena's backlog; class 24 event");
    expect(sent[Count - 1], "in its arena's backlog; class 24 event");
    expect(unsent, "in that thread's remote cache; class 112 event");

    int onStack = 0;
    expect(&onStack, "not the pool's");
    expect(std::malloc(100), "not the pool's");
    expect(nullptr, "not the pool's");
    std::fflush(stdout);
    std::abort();
}
