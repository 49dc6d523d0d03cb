// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sizeways.h"

#include "pools/concurrency/qblockingspscqueue.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

using namespace QPool;

namespace {

template <class Queue, std::size_t Bytes>
void addQueue(Ways &ways, const std::string &name, const std::string &header)
{
    ways.counts.push_back({ name, header, Bytes, [](std::size_t count) {
        return isRefused([count] { return std::make_unique<Queue>(unknown(count)); }, [](auto &) { });
    } });
    ways.counts.push_back({ name + "_nothrow", header, Bytes, [](std::size_t count) {
        return Queue(unknown(count), std::nothrow).capacity() == 0;
    } });
}

struct Line
{
    char bytes[64];
};

} // namespace

// A batch may be as large as the caller likes; it is all that there is, or that there is room for.
TEST(SpscQueueSizes, batchesOfAnyCountTakeAll)
{
    for (std::size_t most : { std::size_t(PTRDIFF_MAX), std::size_t(PTRDIFF_MAX) + 1, SIZE_MAX }) {
        SpscQueue<int> queue(4096);
        std::vector<int> numbers(4096, 7);
        for (int i = 0; i < 1000; ++i)
            ASSERT_TRUE(queue.tryPush(i));
        EXPECT_EQ(queue.tryPopBatch(numbers.begin(), most), 1000u) << most;
        EXPECT_EQ(numbers[999], 999);
        // Its end has not yet learnt of the free slots.
        EXPECT_EQ(queue.tryPushBatch(numbers.begin(), most), 4096u) << most;
        EXPECT_EQ(queue.room(most), 0u);
        for (int i = 0; i < 3000; ++i)
            ASSERT_TRUE(queue.tryPop());
        EXPECT_EQ(queue.room(most), 3000u) << most;
    }
}

void addQueues(Ways &ways)
{
    addQueue<SpscQueue<int>, sizeof(int)>(ways, "Queue_int", "qspscqueue.h");
    addQueue<SpscQueue<Line>, sizeof(Line)>(ways, "Queue_line", "qspscqueue.h");
    addQueue<BlockingSpscQueue<int>, sizeof(int)>(ways, "BlockingQueue_int", "qblockingspscqueue.h");
    addQueue<BlockingSpscQueue<Line>, sizeof(Line)>(ways, "BlockingQueue_line",
                                                    "qblockingspscqueue.h");
}
