// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Processes that use one segment at the same time.

#include "sharedmap.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace QPool;

namespace {

// If several start at once, one creates the segment, and all get the same. They end with its lock held.
TEST(SharedProcessesTest, concurrentOpensShareOneSegment)
{
    const int rounds = int(TestScale::scaled(40));
    for (int round = 0; round < rounds; ++round) {
        SegmentName name;
        std::vector<pid_t> children;
        std::fflush(nullptr);
        for (int i = 0; i < 6; ++i) {
            const pid_t child = fork();
            ASSERT_GE(child, 0);
            if (child == 0) {
                alarm(120);
                SharedSegment segment = SharedSegment::openOrCreate(name, 1 << 18);
                if (!segment)
                    _exit(int(SharedSegment::lastError()));
                const std::lock_guard<SharedSegment> guard(segment);
                ++*segment.findOrConstruct<int>("count", 0);
                _exit(0);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            int status = -1;
            ASSERT_EQ(waitpid(child, &status, 0), child);
            EXPECT_EQ(status, 0) << errorText(SharedError(WEXITSTATUS(status)));
        }
        SharedSegment segment = SharedSegment::attach(name);
        ASSERT_TRUE(segment);
        EXPECT_EQ(*segment.find<int>("count"), 6);
    }
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
            std::fflush(nullptr);
            const pid_t child = fork();
            ASSERT_GE(child, 0);
            if (child == 0) {
                alarm(120);
                write(i);
                _exit(0);
            }
            children.push_back(child);
        }
        std::vector<std::thread> threads;
        for (int i = 0; i < writers; ++i)
            threads.emplace_back(write, writers + i);
        for (std::thread &thread : threads)
            thread.join();
        for (const pid_t child : children) {
            int status = -1;
            EXPECT_EQ(waitpid(child, &status, 0), child);
            EXPECT_EQ(status, 0);
        }
        EXPECT_EQ(map->size(), std::size_t(2 * writers * std::min(turns, 100)));
        EXPECT_SOUND(test.segment);
        EXPECT_TRUE(test.segment.destroy<Map>("map"));
        EXPECT_EQ(test.segment.statistics().usedBlocks, 0u);
        EXPECT_EQ(test.segment.statistics().deaths, 0u);
    }
}

} // namespace
