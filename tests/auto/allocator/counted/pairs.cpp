// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Allocates and frees as many chunks as the arguments say, in the given way, so that the instructions
// can be counted: count-instructions.cmake.

#include "pool/qpoolallocator.h"
#include "rendezvous.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace QPool;

namespace {

constexpr std::size_t Size = 32;

// Keeps the compiler from seeing through a pointer.
inline void *opaque(void *pointer)
{
    asm volatile("" : "+r"(pointer) : : "memory");
    return pointer;
}

struct Heap
{
    static void *allocate() { return std::malloc(Size); }
    static void deallocate(void *block) { std::free(block); }
};

template <class Pool>
void pairs(long count)
{
    for (long i = 0; i < count; ++i)
        Pool::deallocate(opaque(Pool::allocate()));
}

// A hundred at a time, so that magazines empty and fill.
template <class Pool>
void batches(long count)
{
    void *chunks[100];
    for (long i = 0; i < count; i += 100) {
        for (void *&chunk : chunks)
            chunk = opaque(Pool::allocate());
        for (void *chunk : chunks)
            Pool::deallocate(chunk);
    }
}

// Allocated here, freed by another thread.
template <class Pool>
void remote(long count)
{
    constexpr std::size_t batch = 10000;
    std::vector<void *> chunks(batch);
    Rendezvous turn(2);
    std::thread other([&] {
        for (long i = 0; i < count; i += long(batch)) {
            turn.wait();
            for (void *chunk : chunks)
                Pool::deallocate(chunk);
            turn.wait();
        }
    });
    for (long i = 0; i < count; i += long(batch)) {
        for (void *&chunk : chunks)
            chunk = opaque(Pool::allocate());
        turn.wait();
        turn.wait();
    }
    other.join();
}

// While 200 other threads have arenas.
template <class Pool>
void manyArenas(long count)
{
    constexpr int others = 200;
    Rendezvous turn(others + 1);
    std::vector<std::thread> threads;
    for (int i = 0; i < others; ++i) {
        threads.emplace_back([&] {
            Pool::deallocate(opaque(Pool::allocate()));
            turn.wait();
            turn.wait();
        });
    }
    turn.wait();
    pairs<Pool>(count);
    turn.wait();
    for (std::thread &thread : threads)
        thread.join();
}

using Way = void (*)(long);

Way wayOf(const char *name)
{
    static constexpr struct
    {
        const char *name;
        Way way;
    } ways[] = {
        { "SingleThreaded", pairs<QPoolAllocator<Size, SingleThreaded>> },
        { "SharedPool", pairs<QPoolAllocator<Size, SharedPool>> },
        { "MultiPool", pairs<QPoolAllocator<Size, MultiPool>> },
        { "MultiThreaded", pairs<QPoolAllocator<Size, MultiThreaded>> },
        { "MultiThreaded-batches", batches<QPoolAllocator<Size, MultiThreaded>> },
        { "MultiThreaded-remote", remote<QPoolAllocator<Size, MultiThreaded>> },
        { "MultiThreaded-arenas", manyArenas<QPoolAllocator<Size, MultiThreaded>> },
        { "SharedPool-remote", remote<QPoolAllocator<Size, SharedPool>> },
        { "malloc", pairs<Heap> },
        { "malloc-remote", remote<Heap> },
    };
    for (const auto &known : ways) {
        if (std::strcmp(known.name, name) == 0)
            return known.way;
    }
    return nullptr;
}

} // namespace

int main(int argc, char **argv)
{
    const Way way = argc == 3 ? wayOf(argv[1]) : nullptr;
    if (!way) {
        std::fprintf(stderr, "usage: %s WAY COUNT\n", argv[0]);
        return 2;
    }
    way(std::atol(argv[2]));
    return 0;
}
