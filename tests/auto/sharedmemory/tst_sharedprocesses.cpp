// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Processes that use one segment at the same time.

#include "childprocess.h"
#include "sharedmap.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

using namespace QPool;

namespace {

// If several start at once, one creates the segment, and all get the same. They end with its lock held.
TEST(SharedProcessesTest, concurrentOpensShareOneSegment)
{
    const int rounds = int(TestScale::scaled(40));
    for (int round = 0; round < rounds; ++round) {
        SegmentName name;
        std::vector<pid_t> children;
        for (int i = 0; i < 6; ++i) {
            children.push_back(startChild([&name]() -> int {
                SharedSegment segment = SharedSegment::openOrCreate(name, 1 << 18);
                if (!segment)
                    return int(SharedSegment::lastError());
                const std::lock_guard<SharedSegment> guard(segment);
                ++*segment.findOrConstruct<int>("count", 0);
                _exit(0);
            }));
            ASSERT_GE(children.back(), 0);
        }
        for (const pid_t child : children) {
            const int code = exitCodeOf(child);
            EXPECT_EQ(code, 0) << errorText(SharedError(code));
        }
        SharedSegment segment = SharedSegment::attach(name);
        ASSERT_TRUE(segment);
        EXPECT_EQ(*segment.find<int>("count"), 6);
    }
}

// The program may close a descriptor that it does not know, and get its number for a file of its own.
TEST(SharedProcessesTest, segmentsKeepNoDescriptor)
{
    const auto open = [] {
        const std::filesystem::directory_iterator all("/proc/self/fd");
        return std::distance(begin(all), end(all));
    };
    const auto before = open();
    SegmentName name;
    SharedSegment made = SharedSegment::create(name, 1 << 18);
    ASSERT_TRUE(made);
    EXPECT_EQ(open(), before);
    EXPECT_EQ(exitCodeOfChild([&] {
        made = SharedSegment();
        const auto without = open();
        const SharedSegment attached = SharedSegment::attach(name);
        return attached && open() == without ? 0 : 1;
    }), 0);
    EXPECT_NE(made.allocate(100), nullptr);
}

// Threads and processes at once: all of them insert and remove, and nothing is lost.
TEST(SharedProcessesTest, severalWritersLoseNothing)
{
    constexpr int writers = 3;
    const int turns = int(TestScale::scaled(3000));
    for (const SharedLockKind kind :
         { SharedLockKind::Spin, SharedLockKind::Futex, SharedLockKind::Robust }) {
        SCOPED_TRACE(nameOf(kind));
        TestSegment test(8 << 20, kind);
        Map *map = test.segment.construct<Map>("map", Map::allocator_type(test.segment));
        ASSERT_NE(map, nullptr);
        const auto write = [&](int writer) {
            for (int i = 0; i < turns; ++i) {
                const std::lock_guard<SharedSegment> guard(test.segment);
                map->emplace(text(test.segment, writer * turns + i), text(test.segment, i));
                if (i >= 100)
                    map->erase(text(test.segment, writer * turns + i - 100));
            }
        };
        std::vector<pid_t> children;
        for (int i = 0; i < writers; ++i) {
            children.push_back(startChild([&write, i] {
                write(i);
                return 0;
            }));
            ASSERT_GE(children.back(), 0);
        }
        std::vector<std::thread> threads;
        for (int i = 0; i < writers; ++i)
            threads.emplace_back(write, writers + i);
        for (std::thread &thread : threads)
            thread.join();
        for (const pid_t child : children)
            EXPECT_EQ(exitCodeOf(child), 0);
        EXPECT_EQ(map->size(), std::size_t(2 * writers * std::min(turns, 100)));
        EXPECT_SOUND(test.segment);
        EXPECT_TRUE(test.segment.destroy<Map>("map"));
        EXPECT_EQ(test.segment.statistics().usedBlocks, 0u);
        EXPECT_EQ(test.segment.statistics().deaths, 0u);
    }
}

} // namespace
