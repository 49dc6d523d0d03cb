// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Samples from a thread that must not wait, such as one that serves a device, to a thread that
// processes them. If there is no room, the sample is dropped and counted: nothing else could be
// done in time.

#include <qpool/qspscqueue.h>

#include <array>
#include <cstdio>
#include <thread>

struct Sample
{
    int time;
    float value;
};

int main()
{
    constexpr int Count = 100000;
    QPool::SpscQueue<Sample> queue(1024);

    int dropped = 0;
    std::thread device([&] {
        for (int time = 0; time < Count; ++time) {
            if (!queue.tryPush({ time, float(time % 100) }))
                ++dropped;
        }
        queue.close();
    });

    // In batches, so that each thread reads the other's index at most once per batch.
    std::array<Sample, 64> batch;
    int worked = 0;
    double sum = 0;
    while (!queue.isFinished()) {
        const std::size_t count = queue.tryPopBatch(batch.begin(), batch.size());
        for (std::size_t i = 0; i < count; ++i)
            sum += double(batch[i].value);
        worked += int(count);
        if (count == 0)
            std::this_thread::yield();
    }
    device.join();
    std::printf("%d samples, %d dropped, the average is %.1f\n", worked, dropped,
                worked ? sum / worked : 0.0);
    return worked + dropped == Count ? 0 : 1;
}
