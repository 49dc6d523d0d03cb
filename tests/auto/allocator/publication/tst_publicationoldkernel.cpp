// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Publishing on a kernel before Linux 5.14, whose madvise() does not know MADV_POPULATE_WRITE: simulated by
// this program's own madvise().

#include "publishedpool.h"
#include "rendezvous.h"
#include "waitingchild.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace {
unsigned asked = 0;
}

extern "C" int madvise(void *address, std::size_t bytes, int advice) noexcept
{
    constexpr int populateWrite = 23;
    if (advice == populateWrite) {
        ++asked;
        errno = EINVAL;
        return -1;
    }
    return int(syscall(SYS_madvise, address, bytes, advice));
}

using namespace QPool;

namespace {

constexpr unsigned threadCount = 8;

// Each thread needs an arena, for which the published memory must grow.
bool useInThreads()
{
    Rendezvous all(threadCount);
    std::atomic<unsigned> good { 0 };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < threadCount; ++i) {
        threads.emplace_back([&] {
            void *chunk = Published::allocate(binOf(1, 56));
            good += chunk != nullptr;
            all.wait();
            Published::deallocate(chunk);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    return good == threadCount;
}

bool begin()
{
    return Published::allocate(binOf(1, 56)) && asked != 0;
}

TEST(OldKernelTest, publishesEveryArena)
{
    WaitingChild child([] { return begin() && useInThreads(); });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    const ProcessStatistics statistics = process->read();
    EXPECT_EQ(statistics.arenas.size(), threadCount + 1);
    EXPECT_EQ(statistics.missingArenas, 0u);
    EXPECT_EQ(classOf(statistics, 1, 56).live(), 1u);
}

// The program closes the descriptor, and a file of its own gets the number.
TEST(OldKernelTest, aFileOfTheProgramsStaysAsItIs)
{
    WaitingChild child([] {
        if (!begin())
            return false;
        int published = -1;
        for (int descriptor = 3; descriptor < 64; ++descriptor) {
            struct stat status;
            if (fstat(descriptor, &status) == 0 && status.st_size >= 1 << 20)
                close(published = descriptor);
        }
        char name[] = "/tmp/qpool-oldkernel-XXXXXX";
        const int file = mkstemp(name);
        unlink(name);
        struct stat status;
        return published >= 0 && dup2(file, published) == published && write(published, "own", 3) == 3
                && useInThreads() && fstat(published, &status) == 0 && status.st_size == 3;
    });
    EXPECT_TRUE(child.isReady());
}

} // namespace
