// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Random calls of all the front's functions in several threads that hand each other blocks, against
// a model that knows each block's size, alignment and content.
//
//   QPOOL_FUZZ_SEED        repeats what each thread does; how they interleave is the system's
//   QPOOL_FUZZ_OPERATIONS  how many, in all
//   QPOOL_FUZZ_SECONDS     for how long, instead

#include "fuzzer.h"
#include "testscale.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <thread>

#include <malloc.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t StepsOfALife = 10000;

std::uint64_t seed()
{
    const std::uint64_t value = TestScale::environmentNumber("QPOOL_FUZZ_SEED",
                                                             std::random_device()());
    std::printf("QPOOL_FUZZ_SEED=%llu\n", static_cast<unsigned long long>(value));
    std::fflush(stdout);
    return value;
}

// Bytes of the pool that are in use, as malloc_info() has it.
long long usedOfPool()
{
    char *text = nullptr;
    std::size_t length = 0;
    std::FILE *file = open_memstream(&text, &length);
    malloc_info(0, file);
    std::fclose(file);
    const std::string info(text, length);
    std::free(text);
    constexpr char element[] = "<used size=\"";
    const std::size_t at = info.find(element);
    return at == std::string::npos ? -1 : std::atoll(info.c_str() + at + sizeof(element) - 1);
}

TEST(MallocFuzzer, nothingDiffersFromTheModel)
{
    const std::uint64_t first = seed();
    const std::uint64_t seconds = TestScale::environmentNumber("QPOOL_FUZZ_SECONDS", 0);
    const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
    const std::uint64_t operations = TestScale::environmentNumber("QPOOL_FUZZ_OPERATIONS",
                                                                  TestScale::scaled(1000000));
    const long long usedBefore = usedOfPool();
    ASSERT_GE(usedBefore, 0);
    std::atomic<std::uint64_t> total { 0 };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < Threads; ++t) {
        threads.emplace_back([=, &total] {
            const auto goesOn = [=](std::uint64_t done) {
                return !failed && (seconds ? Clock::now() < end : done < operations / Threads);
            };
            std::uint64_t done = 0;
            for (std::uint64_t life = 0; goesOn(done); ++life) {
                // A separate thread, which leaves its arena to the next one.
                std::thread([&] {
                    Fuzzer fuzzer(first + life * Threads + t);
                    for (std::uint64_t i = 0; i < StepsOfALife && goesOn(done); ++i, ++done)
                        fuzzer.step();
                }).join();
            }
            total += done;
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    std::printf("%llu operations\n", static_cast<unsigned long long>(total.load()));
    Fuzzer(first).freeAllOfAll();
    EXPECT_FALSE(failed);
    malloc_trim(0); // sends what this thread holds for others
    // All blocks have been freed, except for those of the threads and of the test itself.
    EXPECT_LT(usedOfPool(), usedBefore + 100000);
}

} // namespace
