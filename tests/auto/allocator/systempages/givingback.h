// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef GIVINGBACK_H
#define GIVINGBACK_H

#include "pages/qpoolsystempages.h"
#include "systemcalls.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <vector>

using QPool::PageHeader;
using QPool::PageMemory;
using QPool::SystemPages;

// Pages that come and go while a test says what time it is, and how many system calls give memory back.
// Each test begins with a new period, and no page has memory that is not in use.
class GivingBackTest : public ::testing::Test
{
protected:
    static constexpr std::size_t PageSize = SystemPages::PageSize;
    static constexpr std::size_t StepBytes = SystemPages::StepPages * PageSize;
    static constexpr int Period = SystemPages::Period;

    void SetUp() override
    {
        // The runtimes of sanitizers make such calls, too, and more than the program does.
        if (!TestScale::ownsAddressSpace)
            GTEST_SKIP() << "the calls are the sanitizer's";
        SystemCalls::clockMilliseconds = 1000;
        SystemPages::trim();
        SystemCalls::reset();
    }

    ~GivingBackTest() override
    {
        SystemCalls::duringGivingBack = nullptr;
        SystemCalls::refusesToTake = false;
        releaseAll();
        SystemPages::trim();
        SystemCalls::clockMilliseconds = -1;
    }

    static void pass(int milliseconds) { SystemCalls::clockMilliseconds += milliseconds; }

    void acquire(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i) {
            PageHeader *page = SystemPages::acquirePage();
            ASSERT_NE(page, nullptr);
            *SystemPages::pageOf(page) = 1;
            pages.push_back(page);
        }
    }

    void release(std::size_t count)
    {
        for (; count > 0; --count) {
            SystemPages::releasePage(pages.back());
            pages.pop_back();
        }
    }
    void releaseAll() { release(pages.size()); }

    // \a count pages that are old: they were free for a whole period, and it has just ended.
    void makeOld(std::size_t count)
    {
        acquire(count);
        release(count);
        pass(Period);
        EXPECT_EQ(SystemPages::idle(), Period);
        pass(Period);
        ASSERT_EQ(SystemCalls::givenBack, 0);
    }

    static std::size_t pagesGivenBack() { return SystemCalls::bytes / PageSize; }

    std::vector<PageHeader *> pages;
};

#endif // GIVINGBACK_H
