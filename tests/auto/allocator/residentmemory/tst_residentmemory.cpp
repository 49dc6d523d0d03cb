// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory of a burst of allocations is given back: a program that holds some memory holds hardly
// more after a burst of many times as much, in whatever order the burst is freed.

#include "cookie.h"
#include "models.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "testscale.h"
#include "../systempages/systemcalls.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include <unistd.h>

using namespace QPool;

namespace {

std::size_t residentBytes()
{
    std::size_t total = 0;
    std::size_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * std::size_t(sysconf(_SC_PAGESIZE));
}

// What an event loop does that has nothing to do for a while. After two periods nothing was used, and after
// the third one the memory is old.
template <class Pool>
void idleForAWhile()
{
    for (int period = 0; period < 4; ++period) {
        SystemCalls::clockMilliseconds += SystemPages::Period;
        while (Pool::idle() == 0) { }
    }
}

constexpr std::size_t HeldBytes = 48 * 1024 * 1024;
constexpr std::size_t BurstBytes = 96 * 1024 * 1024;

enum class Order { Forward, Backward, Random };

template <class ModelT, Order OrderV>
struct Case
{
    using Model = ModelT;
    static constexpr Order order = OrderV;
};

template <class C>
class ResidentMemoryTest : public ::testing::Test
{
protected:
    // A pool of each case's own, so that none finds another's pages.
    using Pool = QSizedPoolAllocator<typename C::Model, TaggedPages<C>>;
    using Blocks = std::vector<std::pair<void *, std::size_t>>;

    static std::size_t part(std::size_t bytes) { return TestScale::scaled(bytes); }

    void fill(Blocks &blocks, std::size_t bytes)
    {
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t size = 16 + random.below(200);
            blocks.emplace_back(Pool::allocate(size), size);
            Cookie::write(blocks.back().first, size, 0);
            done += size;
        }
    }

    void release(Blocks &blocks)
    {
        if (C::order == Order::Backward)
            std::reverse(blocks.begin(), blocks.end());
        if (C::order == Order::Random)
            std::shuffle(blocks.begin(), blocks.end(), random);
        for (auto [block, size] : blocks)
            Pool::deallocate(block, size);
        blocks.clear(); // and keeps its own memory
    }

    // \a settle is what the program does after the burst.
    template <class Release, class Settle>
    void burst(Release &&releaseAll, Settle &&settle)
    {
        Blocks held;
        Blocks blocks;
        // The vector's own memory is there from the start.
        blocks.reserve(part(BurstBytes) / 16);
        blocks.resize(blocks.capacity());
        blocks.clear();
        fill(held, part(HeldBytes));

        const std::size_t resident = residentBytes();
        const std::size_t committed = SystemPages::memory().committed;
        for (int round = 0; round < 3; ++round) {
            fill(blocks, part(BurstBytes));
            EXPECT_GE(SystemPages::memory().committed, part(HeldBytes) + part(BurstBytes));
            releaseAll(blocks);
            settle();
            EXPECT_LE(SystemPages::memory().committed, committed + committed / 20 + 1024 * 1024);
            if (TestScale::ownsAddressSpace && TestScale::divisor() == 1) {
                EXPECT_LE(residentBytes(), resident + resident / 20);
            }
        }
        release(held);
        expectNothingLost<Pool>();
    }

    ResidentMemoryTest() { SystemCalls::clockMilliseconds = 1000; }

    RandomSource random { 1 };
};

struct CaseNames
{
    template <class C>
    static std::string GetName(int)
    {
        static constexpr const char *orders[] = { "Forward", "Backward", "Random" };
        return std::string(C::Model::Name) + orders[int(C::order)];
    }
};

using Cases = ::testing::Types<
        Case<SingleThreaded, Order::Forward>, Case<SingleThreaded, Order::Backward>,
        Case<SingleThreaded, Order::Random>, Case<SharedPool, Order::Forward>,
        Case<SharedPool, Order::Random>, Case<MultiPool, Order::Forward>,
        Case<MultiPool, Order::Random>, Case<MultiThreaded, Order::Forward>,
        Case<MultiThreaded, Order::Backward>, Case<MultiThreaded, Order::Random>>;
TYPED_TEST_SUITE(ResidentMemoryTest, Cases, CaseNames);

TYPED_TEST(ResidentMemoryTest, returnsToItsLevelAfterTrim)
{
    using Pool = typename TestFixture::Pool;
    this->burst([this](auto &blocks) { this->release(blocks); }, [] { Pool::trim(); });
}

TYPED_TEST(ResidentMemoryTest, returnsToItsLevelAfterIdle)
{
    using Pool = typename TestFixture::Pool;
    this->burst([this](auto &blocks) { this->release(blocks); }, [] { idleForAWhile<Pool>(); });
}

// Freed by a thread that only frees, as a receiver of events does; the owner goes idle then.
TYPED_TEST(ResidentMemoryTest, returnsToItsLevelAfterRemoteFrees)
{
    using Pool = typename TestFixture::Pool;
    if constexpr (std::is_same_v<typename TypeParam::Model, MultiThreaded>) {
        this->burst([this](auto &blocks) { inOtherThread([&] { this->release(blocks); }); },
                    [] { idleForAWhile<Pool>(); });
    }
}

} // namespace
