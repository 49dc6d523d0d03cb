// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Pools before main() and after it: in constructors and destructors of static objects, in exit
// handlers, and in a thread that ends while the process does. The exit code shows the result.

#include "cookie.h"
#include "pool/qsizedpoolallocator.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

#include <unistd.h>

using namespace QPool;

namespace {

int failures = 0;

void check(bool condition, const char *what)
{
    if (condition)
        return;
    std::fprintf(stderr, "failed: %s\n", what);
    ++failures;
}

template <class Model>
class Early
{
    using Pool = QSizedPoolAllocator<Model>;

public:
    Early()
    {
        for (std::size_t i = 0; i < Count; ++i) {
            m_blocks[i] = Pool::allocate(size(i));
            check(m_blocks[i], "allocation before main");
            Cookie::write(m_blocks[i], size(i), i);
        }
    }

    ~Early()
    {
        for (std::size_t i = 0; i < Count; ++i) {
            check(Cookie::check(m_blocks[i], size(i), i), "content survives main");
            Pool::deallocate(m_blocks[i]);
        }
        void *late = Pool::allocate(48);
        check(late, "allocation after main");
        Pool::deallocate(late, 48);
        Pool::trim();
        std::uint64_t live = 0;
        Pool::forEachArena([&](const ArenaStatistics &arena) { live += arena.live; });
        check(live == 0, "statistics after main");
    }

private:
    static constexpr std::size_t Count = 500;
    static std::size_t size(std::size_t i) { return (i * 11) % 1100; }

    void *m_blocks[Count];
};

// The first object constructed is the last one destroyed, and reports the result.
struct Verdict
{
    ~Verdict()
    {
        std::fflush(nullptr);
        if (failures)
            _exit(1);
    }
} verdict;

Early<SingleThreaded> singleThreaded;
Early<SharedPool> sharedPool;
Early<MultiPool> multiPool;
Early<MultiThreaded> multiThreaded;

// A thread_local object of the main thread goes before the static ones.
struct MainLocal
{
    void *block = QSizedPoolAllocator<MultiThreaded>::allocate(32);
    ~MainLocal() { QSizedPoolAllocator<MultiThreaded>::deallocate(block); }
};
thread_local MainLocal mainLocal;

void atExit()
{
    using Pool = QSizedPoolAllocator<MultiThreaded>;
    void *block = Pool::allocate(64);
    check(block, "allocation in an exit handler");
    std::thread([&] { Pool::deallocate(block); }).join();
    std::thread([] { Pool::deallocate(Pool::allocate(24)); }).join();
}

} // namespace

int main()
{
    check(mainLocal.block, "allocation for a thread_local object");
    std::atexit(atExit);
    using Pool = QSizedPoolAllocator<MultiThreaded>;
    void *other = nullptr;
    std::thread([&] { other = Pool::allocate(100); }).join();
    Pool::deallocate(other, 100);
    return 0;
}
