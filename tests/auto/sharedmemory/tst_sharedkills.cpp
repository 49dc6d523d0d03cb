// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Processes that are killed at arbitrary moments while they allocate and free, some thousands of
// them in all. The others continue; the records are consistent; no block is handed out twice; and
// no more is lost than each dead process was working on.
//
// The moment of a kill is random, so a seed repeats what the processes do, but not where they end.

#include "randomsource.h"
#include "testscale.h"
#include "testsegment.h"

#include <cstring>
#include <mutex>
#include <vector>

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

using namespace QPool;

namespace {

constexpr int writers = 3;
constexpr std::size_t slotCount = 64;

// The blocks that a writer has in use. An entry is written before its block is used, and reset
// before it is freed, so the successor of a dead process finds all but one of its blocks.
struct Slot
{
    std::atomic<unsigned char *> block;
    std::atomic<std::uint32_t> bytes;
    std::atomic<std::uint32_t> value;
};

struct Board
{
    Slot slots[writers][slotCount];
    std::atomic<bool> stop;
    std::atomic<std::uint64_t> turns[writers];
};

enum Failure { Fine, Overwritten, HandedOutTwice, Unsound };

bool isIntact(const Slot &slot)
{
    const unsigned char *block = slot.block.load();
    const std::uint32_t bytes = slot.bytes.load();
    for (std::uint32_t i = 0; i < bytes; ++i) {
        if (block[i] != (unsigned char)(slot.value.load()))
            return false;
    }
    return true;
}

int write(SharedSegment &segment, Board &board, int writer, std::uint64_t seed)
{
    RandomSource random(seed);
    char root[16];
    std::snprintf(root, sizeof root, "root-%d", writer);
    while (!board.stop.load()) {
        Slot &slot = board.slots[writer][random.below(slotCount)];
        const bool together = random.below(8) == 0; // several calls in one lock
        if (together)
            segment.lock();
        if (unsigned char *block = slot.block.load()) {
            if (!isIntact(slot))
                return Overwritten;
            const std::uint32_t bytes = slot.bytes.load();
            slot.block.store(nullptr);
            std::memset(block, 0, bytes);
            segment.deallocate(block, bytes);
        } else {
            const auto bytes =
                    std::uint32_t(random.below(20) ? 1 + random.below(200) : 1 + random.below(20000));
            block = static_cast<unsigned char *>(segment.allocate(bytes));
            if (block) {
                const auto value = std::uint32_t(1 + random.below(255));
                std::memset(block, int(value), bytes);
                slot.bytes.store(bytes);
                slot.value.store(value);
                slot.block.store(block);
            }
        }
        if (random.below(16) == 0) {
            if (!segment.construct<int>(root, 1))
                segment.destroy<int>(root);
        }
        if (together)
            segment.unlock();
        if (random.below(500) == 0 && segment.check(60000))
            return Unsound;
        board.turns[writer].fetch_add(1);
    }
    return Fine;
}

class SharedKillsTest : public ::testing::TestWithParam<SharedLockKind>
{
};

TEST_P(SharedKillsTest, theOthersContinueAfterEachKill)
{
    RandomSource random(TestScale::seed());
    TestSegment test(2 << 20, GetParam());
    Board *board = test.segment.construct<Board>("board");
    ASSERT_NE(board, nullptr);
    const auto start = [&](int writer) {
        std::fflush(nullptr);
        const std::uint64_t seed = random();
        const pid_t child = fork();
        if (child == 0) {
            alarm(240); // only a deadlock takes that long
            _exit(write(test.segment, *board, writer, seed));
        }
        return child;
    };
    pid_t children[writers];
    for (int i = 0; i < writers; ++i)
        ASSERT_GT(children[i] = start(i), 0);

    const std::uint64_t kills = TestScale::scaled(700);
    for (std::uint64_t i = 0; i < kills; ++i) {
        const int victim = int(random.below(writers));
        const int witness = (victim + 1) % writers;
        // Until the victim has come to work, and any while longer.
        const std::uint64_t before = board->turns[victim].load();
        for (std::size_t left = random.below(10); left > 0 || board->turns[victim].load() == before;) {
            left -= left > 0;
            int status = 0;
            ASSERT_EQ(waitpid(children[victim], &status, WNOHANG), 0) << "it ended with " << status;
            sched_yield();
        }
        ASSERT_EQ(kill(children[victim], SIGKILL), 0);
        // Half of the time the dead process is not reaped before the others find what it left.
        const bool later = random.below(2) != 0;
        int status = 0;
        if (!later) {
            ASSERT_EQ(waitpid(children[victim], &status, 0), children[victim]);
        }
        const std::uint64_t turns = board->turns[witness].load();
        while (board->turns[witness].load() == turns) {
            int ended = 0;
            ASSERT_EQ(waitpid(children[witness], &ended, WNOHANG), 0) << "it ended with " << ended;
            sched_yield();
        }
        if (later) {
            ASSERT_EQ(waitpid(children[victim], &status, 0), children[victim]);
        }
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
                << "it ended by itself, with " << status;
        if (i % 16 == 0)
            EXPECT_SOUND(test.segment);
        ASSERT_GT(children[victim] = start(victim), 0);
    }
    board->stop.store(true);
    for (const pid_t child : children) {
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }

    EXPECT_SOUND(test.segment);
    for (int i = 0; i < writers; ++i) {
        for (Slot &slot : board->slots[i]) {
            if (slot.block.load()) {
                EXPECT_TRUE(isIntact(slot));
                test.segment.deallocate(slot.block.load(), slot.bytes.load());
            }
        }
        test.segment.destroy<int>(("root-" + std::to_string(i)).c_str());
    }
    EXPECT_TRUE(test.segment.destroy<Board>("board"));
    EXPECT_SOUND(test.segment);
    const SharedStatistics statistics = test.segment.statistics();
    EXPECT_EQ(statistics.badFrees, 0u);
    EXPECT_LE(statistics.usedBlocks, kills) << "one block for each of the dead, at most";
    EXPECT_LE(statistics.deaths, kills);
    std::printf("%s: %llu killed, %llu of them with the lock, metadata repaired %llu times, "
                "%llu blocks lost\n",
                nameOf(GetParam()), (unsigned long long) kills,
                (unsigned long long) statistics.deaths, (unsigned long long) statistics.repairs,
                (unsigned long long) statistics.usedBlocks);
}

INSTANTIATE_TEST_SUITE_P(, SharedKillsTest,
                         testing::Values(SharedLockKind::Spin, SharedLockKind::Futex, SharedLockKind::Robust),
                         [](const auto &info) { return nameOf(info.param); });

} // namespace
