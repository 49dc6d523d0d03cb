// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Compiled without exceptions and without RTTI.

#include "pools/concurrency/qblockingspscqueue.h"

#include <cstdint>
#include <iterator>
#include <memory>
#include <thread>

using namespace QPool;

int main()
{
    constexpr int count = 1000;
    BlockingSpscQueue<std::unique_ptr<int>> queue(16);
    int sum = 0;
    std::thread consumer([&] {
        while (auto number = queue.pop())
            sum += **number;
    });
    for (int i = 0; i < count; ++i)
        queue.push(std::make_unique<int>(i));
    queue.close();
    consumer.join();

    // Without memory.
    BlockingSpscQueue<int> none(SIZE_MAX / (sizeof(void *) == 8 ? 32 : 8), std::nothrow);
    int batch[2] = {};
    if (none.capacity() != 0 || none.push(1) || none.pushBatch(batch, 2) || none.pop())
        return 2;
    return sum == count * (count - 1) / 2 ? 0 : 1;
}
