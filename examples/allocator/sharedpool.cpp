// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Several threads use one pool: any thread may free what another allocated. This model uses the least
// memory, because all threads share one set of free chunks.

#include <qpool/qsizedpoolallocator.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

using Pool = QPool::QSizedPoolAllocator<QPool::SharedPool>;

int main()
{
    // Texts of all lengths, written by four threads...
    constexpr unsigned Threads = 4;
    std::vector<char *> texts(Threads * 1000);
    std::vector<std::thread> writers;
    for (unsigned t = 0; t < Threads; ++t) {
        writers.emplace_back([&texts, t] {
            for (unsigned i = t; i < texts.size(); i += Threads) {
                const std::size_t length = i % 100;
                texts[i] = static_cast<char *>(Pool::allocate(length + 1));
                std::memset(texts[i], 'a' + int(t), length);
                texts[i][length] = '\0';
            }
        });
    }
    for (std::thread &writer : writers)
        writer.join();

    // ...read and freed by this one.
    std::size_t letters = 0;
    for (char *text : texts) {
        letters += std::strlen(text);
        Pool::deallocate(text);
    }
    std::printf("%zu letters in %zu texts\n", letters, texts.size());
    Pool::forEachArena([](const QPool::ArenaStatistics &arena) {
        std::printf("arena %u holds %u pages, %llu blocks are in use\n", arena.id, arena.pages,
                    (unsigned long long)arena.live);
    });
}
