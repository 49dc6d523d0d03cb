// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Processes that create and open one segment at the same time, and end with its lock held.

#include "testscale.h"
#include "testsegment.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <mutex>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace QPool;

namespace {

// One creates the segment, and all get the same.
TEST(SharedOpensTest, concurrentOpensShareOneSegment)
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

} // namespace
