// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// free() and all functions that succeed preserve errno: also when the pool takes memory from the
// system, gives it back, or is refused. All that fail for want of memory set it to ENOMEM, as glibc does,
// posix_memalign() too.

#include "childprocess.h"
#include "heapblock.h"
#include "rendezvous.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>

namespace {

constexpr int Kept = 4711; // no error of any system

// How many calls changed it.
class Changes
{
public:
    template <class Call>
    auto operator()(Call call)
    {
        errno = Kept;
        const auto result = call();
        m_count += errno != Kept;
        return result;
    }

    void free(void *block)
    {
        (*this)([block] { return std::free(block), 0; });
    }

    int count() const { return m_count > 99 ? 99 : m_count; }

private:
    int m_count = 0;
};

// For blocks of the pool and for others.
int useAll()
{
    Changes changes;
    std::vector<void *> blocks;
    blocks.reserve(400000);
    for (int i = 0; i < 30000; ++i) {
        const std::size_t size = std::size_t(i * 37 % 1500);
        blocks.push_back(changes([=] { return std::malloc(size); }));
        blocks.push_back(changes([=] { return std::calloc(1, size); }));
        blocks.push_back(changes([=] {
            return std::realloc(std::malloc(1 + size / 2), size + 1);
        }));
        blocks.push_back(changes([=] { return aligned_alloc(64, size); }));
        void *aligned = nullptr;
        changes([&] { return posix_memalign(&aligned, 256, size); });
        blocks.push_back(aligned);
        blocks.push_back(changes([=] { return operator new(size); }));
        changes([&] { return malloc_usable_size(aligned); });
    }
    for (std::size_t i = 0; i < blocks.size(); i += 2)
        changes.free(blocks[i]);
    changes([] { return malloc_trim(0); });
    for (std::size_t i = 1; i < blocks.size(); i += 2)
        changes.free(blocks[i]);
    changes([] { return malloc_trim(0); });
    changes.free(nullptr);
    // A block that the C library maps and unmaps.
    changes.free(changes([] { return std::malloc(10 << 20); }));
    return changes.count();
}

TEST(MallocErrnoTest, isKept)
{
    EXPECT_EQ(useAll(), 0);
}

TEST(MallocErrnoTest, isKeptByTheFirstCallsOfAThread)
{
    int changed = -1;
    inOtherThread([&] { changed = useAll(); });
    EXPECT_EQ(changed, 0);
}

TEST(MallocErrnoTest, isKeptByFreesOfAnothersBlocks)
{
    std::vector<void *> blocks(50000);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        blocks[i] = std::malloc(i % 1100);
    Changes changes;
    inOtherThread([&] {
        for (void *block : blocks)
            changes.free(block);
    });
    EXPECT_EQ(changes.count(), 0);
}

// The system refuses both to give memory and, as it is locked, to take any back.
TEST(MallocErrnoTest, isKeptWhileTheSystemRefuses)
{
    EXPECT_EQ(exitCodeOfChild([] {
        static void *blocks[400000];
        mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT); // where it is permitted
        rlimit limit = { 16 << 20, 16 << 20 };
        if (setrlimit(RLIMIT_DATA, &limit) != 0)
            return 101;
        Changes changes;
        std::size_t count = 0;
        for (; count < 400000; ++count) {
            errno = Kept;
            void *block = std::malloc(count * 16 % 1024);
            // glibc leaves ENOMEM behind when its own first try fails and another succeeds.
            if (block && errno != Kept && isPooled(block))
                return 102;
            if (!block && errno != ENOMEM)
                return 103;
            if (!block)
                break;
            blocks[count] = block;
        }
        if (count == 400000)
            return 104;
        while (count > 0)
            changes.free(blocks[--count]);
        changes([] { return malloc_trim(0); });
        return changes.count();
    }), 0);
}

// Shrinking a block never fails, and does not set errno.
TEST(MallocErrnoTest, isKeptByAShrinkThatFindsNoMemory)
{
    EXPECT_EQ(exitCodeOfChild([] {
        void *block = std::malloc(1000);
        rlimit limit = { 1 << 20, 1 << 20 };
        if (setrlimit(RLIMIT_DATA, &limit) != 0)
            return 101;
        while (std::malloc(40)) { }
        while (std::malloc(48)) { }
        errno = Kept;
        void *same = std::realloc(block, 40);
        return same != block ? 102 : errno != Kept ? 1 : 0;
    }), 0);
}

// More than there is, more than an object may have, and a sum or product that wraps.
TEST(MallocErrnoTest, isEnomemAfterEveryFunctionThatFails)
{
    // Not known to the compiler, which would warn: of the sizes, and that the block was freed.
    volatile std::size_t half = SIZE_MAX / 2;
    volatile std::size_t most = SIZE_MAX;
    static void *volatile block;
    block = std::malloc(40);
    int old = 1;
    for (const std::size_t size : { std::size_t(half / 2), std::size_t(half), half + 1, most - 4096,
                                    std::size_t(most) }) {
        const auto fails = [&](const char *name, auto call) {
            errno = Kept;
            EXPECT_EQ(call(), nullptr) << name << ' ' << size;
            EXPECT_EQ(errno, ENOMEM) << name << ' ' << size;
        };
        fails("malloc", [=] { return std::malloc(size); });
        fails("calloc", [=] { return std::calloc(1, size); });
        fails("realloc", [=] { return std::realloc(block, size); });
        fails("realloc of null", [=] { return std::realloc(nullptr, size); });
        fails("reallocarray", [=] { return reallocarray(block, 1, size); });
        fails("calloc of a product", [=] { return std::calloc(size, 8); });
        fails("reallocarray of a product", [=] { return reallocarray(block, size, 8); });
        fails("memalign", [=] { return memalign(64, size); });
        fails("aligned_alloc", [=] { return aligned_alloc(64, size); });
        fails("valloc", [=] { return valloc(size); });
        fails("pvalloc", [=] { return pvalloc(size); });
        for (const std::size_t alignment : { 8, 16, 64, 4096, 1 << 20 }) {
            void *untouched = &old;
            errno = Kept;
            EXPECT_EQ(posix_memalign(&untouched, alignment, size), ENOMEM) << alignment << ' ' << size;
            EXPECT_EQ(errno, ENOMEM) << alignment << ' ' << size;
            EXPECT_EQ(untouched, &old);
        }
    }
    std::free(block);
}

// posix_memalign() returns it; what the other functions do, the C library decides.
TEST(MallocErrnoTest, isKeptByAnInvalidAlignment)
{
    for (const std::size_t alignment : { 0, 1, 4, 24, 100 }) {
        void *untouched = nullptr;
        errno = Kept;
        EXPECT_EQ(posix_memalign(&untouched, alignment, 40), EINVAL);
        EXPECT_EQ(errno, Kept);
        EXPECT_EQ(untouched, nullptr);
    }
}

} // namespace
