// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// One process is killed after each of the stores of a call; then another process after each of the
// stores of its repair. The next process must find consistent records.

#include "testscale.h"
#include "testsegment.h"

#include <functional>

#include <signal.h>
#include <sys/wait.h>

using namespace QPool;

namespace {

int stepsLeft = 0;

void endAfterSteps()
{
    if (--stepsLeft == 0)
        raise(SIGKILL);
}

// Whether \a body was killed after its n-th store; else it came to its end.
bool killedAt(int step, const std::function<void()> &body)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    EXPECT_GE(child, 0);
    if (child == 0) {
        alarm(120);
        stepsLeft = step;
        SharedSteps::afterStore = endAfterSteps;
        body();
        _exit(0);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) {
        EXPECT_EQ(WTERMSIG(status), SIGKILL);
        return true;
    }
    EXPECT_EQ(status, 0);
    return false;
}

struct Scene
{
    const char *name;
    void (*prepare)(SharedSegment &);
    void (*act)(SharedSegment &);
};

// Where a scene stores the blocks that it frees; the same in the child.
void *kept[600];

struct Holder
{
    explicit Holder(SharedSegment &segment) : segment(&segment), block(segment.allocate(3000)) { }
    ~Holder() { segment->deallocate(block, 3000); }
    SharedSegment *segment;
    void *block;
};

void fill(SharedSegment &segment, int count, std::size_t bytes)
{
    for (int i = 0; i < count; ++i)
        kept[i] = segment.allocate(bytes);
}

const Scene scenes[] = {
    { "firstOfAClass", [](SharedSegment &) { }, [](SharedSegment &segment) { segment.allocate(48); } },
    { "anotherOfAClass", [](SharedSegment &segment) { fill(segment, 3, 48); },
      [](SharedSegment &segment) { segment.allocate(48); } },
    { "lastOfASlab", [](SharedSegment &segment) { fill(segment, 84, 48); },
      [](SharedSegment &segment) { segment.allocate(48); } },
    { "firstOfAFullSlab", [](SharedSegment &segment) { fill(segment, 85, 48); },
      [](SharedSegment &segment) { segment.deallocate(kept[40], 48); } },
    { "oneOfASlab", [](SharedSegment &segment) { fill(segment, 20, 48); },
      [](SharedSegment &segment) { segment.deallocate(kept[4], 48); } },
    { "anEmptySlabGoes",
      [](SharedSegment &segment) {
          fill(segment, 86, 48);
          segment.deallocate(kept[3], 48);
      },
      [](SharedSegment &segment) { segment.deallocate(kept[85], 48); } },
    { "run", [](SharedSegment &) { }, [](SharedSegment &segment) { segment.allocate(5 * 4096); } },
    { "runAfterTrim",
      [](SharedSegment &segment) {
          fill(segment, 1, 1000);
          while (segment.allocate(4096)) { }
          segment.deallocate(kept[0], 1000);
      },
      [](SharedSegment &segment) { segment.allocate(4 * 4096); } },
    { "runGoes",
      [](SharedSegment &segment) { fill(segment, 5, 5 * 4096); },
      [](SharedSegment &segment) { segment.deallocate(kept[2], 5 * 4096); } },
    { "full", [](SharedSegment &segment) { while (segment.allocate(4096)) { } },
      [](SharedSegment &segment) {
          segment.allocate(4096);
          segment.allocate(32);
      } },
    { "construct", [](SharedSegment &) { },
      [](SharedSegment &segment) { segment.construct<Holder>("holder", segment); } },
    { "destroy", [](SharedSegment &segment) { segment.construct<Holder>("holder", segment); },
      [](SharedSegment &segment) { segment.destroy<Holder>("holder"); } },
    { "severalInOneLock", [](SharedSegment &) { },
      [](SharedSegment &segment) {
          segment.lock();
          segment.allocate(16);
          segment.allocate(5000);
          segment.allocate(100);
          segment.unlock();
      } },
};

class SharedStepsTest : public ::testing::TestWithParam<std::tuple<SharedLockKind, int>>
{
};

TEST_P(SharedStepsTest, aKillAtEachLeavesASoundSegment)
{
    const auto &[kind, index] = GetParam();
    const Scene &scene = scenes[index];
    int steps = 0;
    int kills = 0;
    for (bool again = true; again;) {
        ++steps;
        SCOPED_TRACE(steps);
        // The whole is done once more for some of the steps of the second process.
        const int stride = int(TestScale::divisor() > 1 ? 97 : 23);
        for (int second = 0;; second = second ? second + stride : 1 + steps % stride) {
            TestSegment test(SharedSegment::MinBytes, kind);
            scene.prepare(test.segment);
            const SharedStatistics before = test.segment.statistics();
            const bool killed = killedAt(steps, [&] { scene.act(test.segment); });
            kills += killed;
            again = killed;
            bool recovering = false;
            if (second && killed) {
                recovering = killedAt(second, [&] {
                    test.segment.lock();
                    test.segment.unlock();
                });
                kills += recovering;
            }
            EXPECT_SOUND(test.segment);
            const SharedStatistics after = test.segment.statistics();
            EXPECT_FALSE(after.broken);
            EXPECT_EQ(after.badFrees, 0u);
            // The largest number of blocks that the call takes.
            EXPECT_LE(after.usedBlocks, before.usedBlocks + 3);
            // It is of use as before.
            for (int i = 0; i < 3; ++i) {
                const std::size_t bytes[] = { 48, 4096, 100 };
                void *block = test.segment.allocate(bytes[i]);
                if (block)
                    test.segment.deallocate(block, bytes[i]);
            }
            EXPECT_SOUND(test.segment);
            ASSERT_FALSE(HasFailure());
            if (!killed || (second && !recovering))
                break;
        }
    }
    EXPECT_GT(steps, 5);
    std::printf("%d stores, %d processes killed\n", steps - 1, kills);
}

INSTANTIATE_TEST_SUITE_P(, SharedStepsTest,
                         testing::Combine(testing::ValuesIn(allLocks()),
                                          testing::Range(0, int(std::size(scenes)))),
                         [](const auto &info) {
                             return std::string(nameOf(std::get<0>(info.param))) + "_"
                                     + scenes[std::get<1>(info.param)].name;
                         });

} // namespace
