// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Operations that must take a bounded number of instructions, whatever the amounts: repeated as often
// as the arguments say, so that they can be counted (count-instructions.cmake).

#include "failingpages.h"
#include "pool/qsizedpoolallocator.h"
#include "rendezvous.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#include <ctime>

using namespace QPool;

namespace {

timespec s_now {};

} // namespace

// The allocator's clock: a processor that is slower would otherwise see more periods end.
extern "C" int clock_gettime(clockid_t, timespec *now) noexcept
{
    *now = s_now;
    return 0;
}

namespace {

// Frees to n orphans in turn, a few chunks each: no bin's batch is still open when it comes round
// again. Each free is counted with an allocation.
void orphans(long count)
{
    using Pool = QPoolAllocator<64, MultiThreaded>;
    constexpr std::size_t orphanCount = 200;
    const std::size_t perThread = std::size_t(count) / orphanCount;
    std::vector<void *> chunks(orphanCount * perThread);
    {
        // All alive at once, so that none adopts another's arena.
        Rendezvous turn(orphanCount + 1);
        std::deque<std::thread> threads;
        for (std::size_t t = 0; t < orphanCount; ++t) {
            threads.emplace_back([&, t] {
                for (std::size_t i = 0; i < perThread; ++i)
                    chunks[i * orphanCount + t] = Pool::allocate();
                turn.wait();
            });
        }
        turn.wait();
        for (std::thread &thread : threads)
            thread.join();
    }
    for (void *chunk : chunks)
        Pool::deallocate(chunk);
}

// Allocations that are refused, with three thousand pages that have room for other sizes.
void refusals(long count)
{
    using Pages = FailingPages<SystemPages>;
    using Pool = QSizedPoolAllocator<MultiThreaded, Pages>;
    constexpr std::size_t size = 1024;
    constexpr std::size_t perPage = Pages::PageSize / size;
    std::vector<void *> chunks(3000 * perPage);
    for (void *&chunk : chunks)
        chunk = Pool::allocate(size);
    for (std::size_t i = 0; i < chunks.size(); i += 2)
        Pool::deallocate(chunks[i], size);
    Pages::setBudget(0);
    for (long i = 0; i < count; ++i) {
        if (Pool::allocate(64))
            std::abort();
    }
}

// idle() with ten thousand pages that are in use in part, eight times in a second.
void idle(long count)
{
    using Pool = QPoolAllocator<16 * 1024, MultiThreaded>;
    std::vector<void *> chunks(40000);
    for (void *&chunk : chunks)
        chunk = Pool::allocate();
    for (std::size_t i = 0; i < chunks.size(); i += 2)
        Pool::deallocate(chunks[i]);
    for (int turn = 0; turn < 100; ++turn)
        Pool::idle();
    for (long i = 0; i < count; ++i) {
        s_now.tv_sec += i % 8 == 0;
        Pool::idle();
    }
}

using Function = void (*)(long);

Function functionOf(const char *name)
{
    static constexpr struct
    {
        const char *name;
        Function function;
    } all[] = { { "orphans", orphans }, { "refusals", refusals }, { "idle", idle } };
    for (const auto &known : all) {
        if (std::strcmp(known.name, name) == 0)
            return known.function;
    }
    return nullptr;
}

} // namespace

int main(int argc, char **argv)
{
    const Function function = argc == 3 ? functionOf(argv[1]) : nullptr;
    if (!function) {
        std::fprintf(stderr, "usage: %s WHAT COUNT\n", argv[0]);
        return 2;
    }
    function(std::atol(argv[2]));
    return 0;
}
