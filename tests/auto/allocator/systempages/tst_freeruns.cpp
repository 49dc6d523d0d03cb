// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The free runs of a source, without the source: headers in an array, of which the first and the last one
// have no page. After each step they are compared with a simple model.

#include "pages/qpoolfreeruns.h"
#include "randomsource.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

using QPool::FreeRuns;
using QPool::PageHeader;

namespace {

class FreeRunsTest : public ::testing::Test
{
protected:
    // So few that no list is too long to be searched to its end.
    static constexpr std::size_t Count = 800;

    struct Run
    {
        std::size_t pages;
        FreeRuns::State state;
    };

    PageHeader *page(std::size_t number) { return &headers[number + 1]; }
    std::size_t numberOf(const PageHeader *page) const { return std::size_t(page - &headers[1]); }

    std::size_t pagesOf(FreeRuns::State state) const
    {
        std::size_t count = 0;
        for (const auto &[first, run] : model)
            count += run.state == state ? run.pages : 0;
        return count;
    }

    void put(std::size_t first, std::size_t count, FreeRuns::State state)
    {
        runs.put(page(first), count, state);
        const auto next = model.lower_bound(first);
        if (next != model.end() && next->first == first + count && next->second.state == state) {
            count += next->second.pages;
            model.erase(next);
        }
        auto before = model.lower_bound(first);
        if (before != model.begin() && (--before)->first + before->second.pages == first
            && before->second.state == state) {
            before->second.pages += count;
        } else {
            model[first] = { count, state };
        }
    }

    void removeFront(std::size_t first, std::size_t count)
    {
        const Run run = model.at(first);
        ASSERT_GE(run.pages, count);
        model.erase(first);
        if (run.pages > count)
            model[first + count] = { run.pages - count, run.state };
        if (run.state == FreeRuns::Cached)
            low = std::min(low, pagesOf(FreeRuns::Cached));
    }

    void check()
    {
        EXPECT_EQ(runs.pages(FreeRuns::Cached), pagesOf(FreeRuns::Cached));
        EXPECT_EQ(runs.pages(FreeRuns::Gone), pagesOf(FreeRuns::Gone));
        EXPECT_EQ(runs.low(), low);
        for (const auto &[first, run] : model) {
            for (std::size_t number : { first, first + run.pages - 1 }) {
                ASSERT_EQ(FreeRuns::tagOf(page(number)), run.state) << number;
                ASSERT_EQ(FreeRuns::lengthOf(page(number), run.state), run.pages) << number;
            }
        }
        for (const auto &[first, count] : used) {
            for (std::size_t number : { first, first + count - 1 }) {
                ASSERT_EQ(FreeRuns::lengthOf(page(number), FreeRuns::Cached), 0u) << number;
                ASSERT_EQ(FreeRuns::lengthOf(page(number), FreeRuns::Gone), 0u) << number;
            }
        }
        ASSERT_EQ(headers[0].bin, nullptr);
        ASSERT_EQ(headers[Count + 1].bin, nullptr);
    }

    std::unique_ptr<PageHeader[]> headers { new PageHeader[Count + 2]() };
    FreeRuns runs;
    std::map<std::size_t, Run> model;
    std::map<std::size_t, std::size_t> used; // or leaving
    std::size_t low = 0;
};

TEST_F(FreeRunsTest, hasNothingFirst)
{
    EXPECT_EQ(runs.take(1, FreeRuns::Cached), nullptr);
    EXPECT_EQ(runs.take(1, FreeRuns::Gone), nullptr);
    EXPECT_EQ(runs.takeOldest(8), nullptr);
    EXPECT_EQ(runs.takeLow(), 0u);
}

TEST_F(FreeRunsTest, joinsOnBothSides)
{
    put(10, 5, FreeRuns::Cached);
    put(20, 5, FreeRuns::Cached);
    put(15, 5, FreeRuns::Cached);
    EXPECT_EQ(FreeRuns::lengthOf(page(10), FreeRuns::Cached), 15u);
    EXPECT_EQ(FreeRuns::lengthOf(page(24), FreeRuns::Cached), 15u);
    put(5, 5, FreeRuns::Gone);
    put(25, 5, FreeRuns::Gone);
    EXPECT_EQ(FreeRuns::lengthOf(page(10), FreeRuns::Cached), 15u) << "others have another state";
    EXPECT_EQ(runs.take(16, FreeRuns::Cached), nullptr);
    EXPECT_EQ(runs.take(15, FreeRuns::Cached), page(10));
}

// Of equally long runs, the last one serves a request, and the first one goes.
TEST_F(FreeRunsTest, takesTheYoungestAndGivesTheOldest)
{
    for (std::size_t first : { 40, 20, 60, 80 })
        put(first, 3, FreeRuns::Cached);
    EXPECT_EQ(runs.takeOldest(8), page(40));
    EXPECT_EQ(FreeRuns::tagOf(page(40)), FreeRuns::Leaving);
    EXPECT_EQ(FreeRuns::tagOf(page(42)), FreeRuns::Leaving);
    EXPECT_EQ(runs.take(3, FreeRuns::Cached), page(80));
    // The shortest that suffices.
    put(100, 9, FreeRuns::Cached);
    EXPECT_EQ(runs.take(2, FreeRuns::Cached), page(60));
    // Short runs go first, the rest of one that was used in part, too; long ones in parts.
    EXPECT_EQ(runs.takeOldest(8), page(62));
    EXPECT_EQ(runs.takeOldest(8), page(20));
    EXPECT_EQ(runs.takeOldest(8), page(100));
    EXPECT_EQ(page(100)->capacity, 8u);
    EXPECT_EQ(runs.takeOldest(8), page(108));
}

TEST_F(FreeRunsTest, knowsWhatWasNotNeeded)
{
    put(0, 100, FreeRuns::Cached);
    EXPECT_EQ(runs.takeLow(), 0u) << "they were not there all the time";
    ASSERT_NE(runs.take(30, FreeRuns::Cached), nullptr);
    put(0, 30, FreeRuns::Cached);
    EXPECT_EQ(runs.low(), 70u);
    put(200, 50, FreeRuns::Gone);
    ASSERT_NE(runs.take(50, FreeRuns::Gone), nullptr);
    EXPECT_EQ(runs.takeLow(), 70u);
    EXPECT_EQ(runs.takeLow(), 100u);
}

TEST_F(FreeRunsTest, takesWhatFollows)
{
    put(10, 20, FreeRuns::Gone);
    put(30, 6, FreeRuns::Cached);
    EXPECT_EQ(FreeRuns::freeAcross(page(9), 5), 0u);
    EXPECT_EQ(FreeRuns::freeAcross(page(10), 5), 5u);
    EXPECT_EQ(FreeRuns::freeAcross(page(10), 100), 26u);
    runs.takeRuns(page(10), 5);
    EXPECT_EQ(FreeRuns::lengthOf(page(15), FreeRuns::Gone), 15u);
    runs.takeRuns(page(15), 17);
    EXPECT_EQ(runs.pages(FreeRuns::Gone), 0u);
    EXPECT_EQ(FreeRuns::lengthOf(page(32), FreeRuns::Cached), 4u);
}

// Each length has its list, and every run is found for what it can hold.
TEST_F(FreeRunsTest, findsRunsOfEveryLength)
{
    for (std::size_t count = 1; count <= Count; ++count) {
        runs.put(page(0), count, FreeRuns::Cached);
        ASSERT_EQ(runs.take(count + 1, FreeRuns::Cached), nullptr);
        ASSERT_EQ(runs.take(count, FreeRuns::Cached), page(0));
        runs.put(page(0), count, FreeRuns::Cached);
        for (std::size_t done = 0; done < count; ++done)
            ASSERT_EQ(runs.take(1, FreeRuns::Cached), page(done));
    }
}

TEST_F(FreeRunsTest, agreesWithTheModel)
{
    RandomSource random(TestScale::seed());
    used[0] = Count;
    const auto isLongEnough = [&](std::size_t count, FreeRuns::State state) {
        for (const auto &[first, run] : model) {
            if (run.state == state && run.pages >= count)
                return true;
        }
        return false;
    };
    const auto randomOf = [&](auto &map) {
        return std::next(map.begin(), std::ptrdiff_t(random.below(map.size())));
    };
    const std::uint64_t steps = TestScale::scaled(200000);
    for (std::uint64_t step = 0; step < steps && !HasFatalFailure(); ++step) {
        const FreeRuns::State state = random.below(2) ? FreeRuns::Cached : FreeRuns::Gone;
        const std::size_t count = 1 + random.below(random.below(8) ? 12 : 300);
        const auto what = random.below(100);
        if (what < 45 && !used.empty()) {
            // Releases what is in use, or the end or the start of it.
            std::size_t first = randomOf(used)->first;
            std::size_t pages = used.at(first);
            used.erase(first);
            if (count < pages) {
                const bool atEnd = random.below(2);
                const std::size_t kept = atEnd ? first : first + count;
                used[kept] = pages - count;
                FreeRuns::setTag(page(kept), pages - count, 0);
                first = atEnd ? first + pages - count : first;
                pages = count;
                FreeRuns::setTag(page(first), pages, 0);
            }
            put(first, pages, state);
        } else if (what < 80) {
            PageHeader *taken = runs.take(count, state);
            ASSERT_EQ(taken != nullptr, isLongEnough(count, state)) << count;
            if (taken) {
                ASSERT_EQ(model.at(numberOf(taken)).state, state);
                removeFront(numberOf(taken), count);
                used[numberOf(taken)] = count;
            }
        } else if (what < 90 && !model.empty()) {
            const std::size_t first = randomOf(model)->first;
            const std::size_t all = FreeRuns::freeAcross(page(first), count);
            runs.takeRuns(page(first), all);
            std::size_t taken = 0;
            while (taken < count && model.count(first + taken)) {
                const std::size_t here = std::min(model.at(first + taken).pages, count - taken);
                removeFront(first + taken, here);
                taken += here;
            }
            ASSERT_EQ(all, taken);
            used[first] = taken;
        } else if (what < 97) {
            PageHeader *taken = runs.takeOldest(count);
            ASSERT_EQ(taken != nullptr, isLongEnough(1, FreeRuns::Cached));
            if (taken) {
                const std::size_t length = taken->capacity;
                ASSERT_LE(length, count);
                removeFront(numberOf(taken), length);
                used[numberOf(taken)] = length;
            }
        } else {
            ASSERT_EQ(runs.takeLow(), low);
            low = pagesOf(FreeRuns::Cached);
        }
        check();
    }
}

} // namespace
