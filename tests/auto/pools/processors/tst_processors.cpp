// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pools/concurrency/qpoolprocessors.h"
#include "team.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>

using namespace QPool;

TEST(Processors, keepErrno)
{
    errno = EDOM;
    EXPECT_GE(Os::usableProcessors(), 1u);
    EXPECT_EQ(errno, EDOM);
}

#ifdef __linux__

TEST(Processors, areCountedByAffinity)
{
    std::thread([] {
        cpu_set_t allowed;
        ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
        EXPECT_EQ(Os::usableProcessors(), unsigned(CPU_COUNT(&allowed)));
        EXPECT_EQ(Bench::processorCount(), CPU_COUNT(&allowed));
        // One less at a time, down to one.
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&allowed) > 1; ++cpu) {
            CPU_CLR(cpu, &allowed);
            ASSERT_EQ(sched_setaffinity(0, sizeof allowed, &allowed), 0);
            EXPECT_EQ(Os::usableProcessors(), unsigned(CPU_COUNT(&allowed)));
            EXPECT_EQ(Bench::processorCount(), CPU_COUNT(&allowed));
        }
        EXPECT_EQ(Os::usableProcessors(), 1u);
    }).join();
}

// Started under taskset with one processor.
TEST(Processors, areOneUnderTaskset)
{
    if (!std::getenv("QPOOL_TEST_ONE_PROCESSOR"))
        GTEST_SKIP() << "not under taskset";
    EXPECT_EQ(Os::usableProcessors(), 1u);
    EXPECT_EQ(Bench::processorCount(), 1);
}

#endif
