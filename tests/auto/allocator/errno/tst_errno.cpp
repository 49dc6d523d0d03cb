// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program looks at errno after a call that failed, and may free, or allocate, before it does.

#include "childprocess.h"
#include "models.h"
#include "rendezvous.h"
#include "testscale.h"

#include <cerrno>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>

using namespace QPool;

namespace {

constexpr int Kept = 4711; // no error of any system

template <class Model>
class ErrnoTest : public ::testing::Test
{
};

TYPED_TEST_SUITE(ErrnoTest, AllModels, ModelNames);

// Returns how many calls changed it.
template <class Pool>
int changes(int &refused)
{
    int changed = 0;
    const auto keeps = [&](auto call) {
        errno = Kept;
        const bool ok = call();
        if (!ok)
            ++refused;
        else if (errno != Kept)
            ++changed;
    };
    // Everything is used: the range, an arena, pages, magazines, a backlog; and given back.
    std::vector<void *> chunks(40000);
    for (void *&chunk : chunks)
        keeps([&] { return (chunk = Pool::allocate()) != nullptr; });
    for (std::size_t i = 0; i < chunks.size(); i += 2)
        keeps([&] { Pool::deallocate(chunks[i]); return true; });
    keeps([] { Pool::idle(); return true; });
    for (std::size_t i = 1; i < chunks.size(); i += 2)
        keeps([&] { Pool::deallocate(chunks[i]); return true; });
    keeps([] { Pool::flush(); return true; });
    keeps([] { Pool::idle(); return true; });
    keeps([] { Pool::trim(); return true; });
    return changed;
}

TYPED_TEST(ErrnoTest, isKept)
{
    // From an unused pool: in a separate process.
    EXPECT_EQ(exitCodeOfChild([] {
        int refused = 0;
        const int changed = changes<QPoolAllocator<96, TypeParam>>(refused);
        return refused ? 100 : changed > 99 ? 99 : changed;
    }), 0);
}

TYPED_TEST(ErrnoTest, isKeptWhenTheSystemTakesNoMemoryBack)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the sanitizer's memory cannot be locked";
    EXPECT_EQ(exitCodeOfChild([] {
        using Pool = QPoolAllocator<96, TypeParam>;
        // For locked memory madvise() refuses to give any back.
        if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0)
            return 0; // not permitted here
        int refused = 0;
        const int changed = changes<Pool>(refused);
        return refused ? 100 : changed > 99 ? 99 : changed;
    }), 0);
}

TYPED_TEST(ErrnoTest, isKeptByCallsThatSucceedNearTheLimit)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the sanitizer needs memory, too";
    EXPECT_EQ(exitCodeOfChild([] {
        using Pool = QPoolAllocator<96, TypeParam>;
        // mprotect() refuses to make more usable than this.
        rlimit limit = { 8 << 20, 8 << 20 };
        if (setrlimit(RLIMIT_DATA, &limit) != 0)
            return 101;
        int changed = 0;
        std::size_t count = 0;
        static void *chunks[200000];
        for (;;) {
            errno = Kept;
            void *chunk = Pool::allocate();
            if (!chunk)
                break;
            changed += errno != Kept;
            chunks[count++] = chunk;
            if (count == 200000)
                return 102; // never refused
        }
        while (count > 0) {
            errno = Kept;
            Pool::deallocate(chunks[--count]);
            changed += errno != Kept;
        }
        errno = Kept;
        Pool::trim();
        changed += errno != Kept;
        return changed > 99 ? 99 : changed;
    }), 0);
}

TYPED_TEST(ErrnoTest, isKeptWhenASmallerRangeIsTaken)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the sanitizer needs address space, too";
    EXPECT_EQ(exitCodeOfChild([] {
        using Pool = QPoolAllocator<96, TypeParam>;
        // Smaller ranges are tried until one is available.
        rlimit limit = { std::size_t(1) << 30, std::size_t(1) << 30 };
        if (setrlimit(RLIMIT_AS, &limit) != 0)
            return 101;
        errno = Kept;
        void *chunk = Pool::allocate();
        return !chunk ? 102 : errno != Kept ? 1 : 0;
    }), 0);
}

// The functions that other threads call to return a chunk.
TEST(ErrnoThreadsTest, isKeptByFreesOfAnothersChunks)
{
    using Pool = QPoolAllocator<104, MultiThreaded>;
    std::vector<void *> chunks(20000);
    for (void *&chunk : chunks)
        chunk = Pool::allocate();
    int changed = 0;
    inOtherThread([&] {
        for (void *chunk : chunks) {
            errno = Kept;
            Pool::deallocate(chunk);
            changed += errno != Kept;
        }
        errno = Kept;
        Pool::flush();
        changed += errno != Kept;
    });
    EXPECT_EQ(changed, 0);
    errno = Kept;
    Pool::idle();
    EXPECT_EQ(errno, Kept);
    expectNothingLost<Pool>();
}

} // namespace
