// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Requests that are expensive to construct are kept for later use. Most have one or two headers, a
// few have a hundred. If requests were only cleared, in the end each would have a capacity of a
// hundred.
//
// ./qpool top, in another terminal, shows the cache of a program that publishes it:
//     QT_POOL_ALLOCATOR=monitor example_objectcache --wait

#include <qpool/qobjectcache.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

struct Request
{
    std::vector<std::string> headers;
    std::string body;
};

// Restores the initial state. Capacity for usual requests is kept, because more of them will come.
struct Clear
{
    void operator()(Request &request) const
    {
        QPool::clearWithin(request.headers, 4);
        QPool::clearWithin(request.body, 4096);
    }
};
using Requests = QPool::ObjectCache<Request, Clear>;

void serve(Requests::Category requests)
{
    std::vector<Requests::Handle> inFlight(50);
    for (std::size_t i = 0; i < 10000; ++i) {
        // Returns the previous request to the cache, which resets it.
        Requests::Handle &request = inFlight[i % inFlight.size()];
        request = requests.take();
        request->headers.resize(i % 101 == 0 ? 100 : i % 3);
        request->body.assign("hello");
    }
}

int main(int argc, char **argv)
{
    // The name of the cache in views and messages.
    QPool::ObjectCacheOptions options;
    options.name = "requests";
    Requests cache(options);
    // Two categories, because both parts of the program have different requests.
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(serve, cache.category(i % 2 ? "network" : "files"));
    for (std::thread &thread : threads)
        thread.join();

    cache.forEachCategory([](const QPool::ObjectCacheStatistics &of) {
        std::printf("%-8s %zu requests exist, taken %zu times, created %zu times\n", of.category,
                    of.held, of.takes(), of.misses);
    });

    if (argc > 1 && std::strcmp(argv[1], "--wait") == 0) {
        std::printf("Press Enter to continue\n");
        std::fflush(stdout);
        std::getchar();
    }

    std::size_t room = 0;
    std::vector<Requests::Handle> all;
    auto network = cache.category("network");
    for (std::size_t left = network.statistics().idle(); left > 0; --left) {
        all.push_back(network.take());
        room += all.back()->headers.capacity();
    }
    std::printf("network requests have room for %zu headers\n", room);
    return room <= 4 * all.size() ? 0 : 1;
}
