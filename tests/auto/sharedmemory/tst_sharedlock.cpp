// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The lock of a segment by itself.

#include "childprocess.h"
#include "testscale.h"
#include "testsegment.h"

#include <mutex>
#include <thread>
#include <vector>

#include <cstdlib>

#include <fcntl.h>
#include <signal.h>

using namespace QPool;

namespace {

class SharedLockTest : public ::testing::TestWithParam<SharedLockKind>
{
};

std::string nameOfParam(const testing::TestParamInfo<SharedLockKind> &info)
{
    return nameOf(info.param);
}

TEST_P(SharedLockTest, mayBeTakenRepeatedlyByOneThread)
{
    TestSegment test(1 << 18, GetParam());
    test.segment.lock();
    test.segment.lock();
    EXPECT_TRUE(test.segment.try_lock());
    void *block = test.segment.allocate(10);
    EXPECT_NE(block, nullptr);
    const auto triedElsewhere = [&] {
        bool done = false;
        std::thread([&] {
            done = test.segment.try_lock();
            EXPECT_TRUE(done || SharedSegment::lastError() == SharedError::Busy);
            if (done)
                test.segment.unlock();
        }).join();
        return done;
    };
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(triedElsewhere());
        test.segment.unlock();
    }
    EXPECT_TRUE(triedElsewhere());
    test.segment.unlock(); // one too many is nothing
    EXPECT_TRUE(triedElsewhere());
    EXPECT_EQ(test.segment.statistics().deaths, 0u);
}

TEST_P(SharedLockTest, admitsOneThreadAtATime)
{
    TestSegment test(1 << 18, GetParam());
    const int turns = int(TestScale::scaled(40000));
    long count = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int turn = 0; turn < turns; ++turn) {
                const std::lock_guard<SharedSegment> guard(test.segment);
                ++count;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(count, 4L * turns);
    EXPECT_EQ(test.segment.statistics().deaths, 0u);
}

TEST_P(SharedLockTest, aChildCannotReleaseItsParentsLock)
{
    TestSegment test(1 << 18, GetParam());
    test.segment.lock();
    EXPECT_EQ(exitCodeOfChild([&] {
                  test.segment.unlock();
                  return test.segment.try_lock() ? 1 : 0;
              }),
              0);
    EXPECT_EQ(exitCodeOfChild([&] { return test.segment.tryLockFor(10) ? 1 : 0; }), 0);
    test.segment.unlock();
    EXPECT_EQ(exitCodeOfChild([&] { return test.segment.try_lock() ? 0 : 1; }), 0);
}

TEST_P(SharedLockTest, isRecoveredFromAnEndedThread)
{
    TestSegment test(1 << 18, GetParam());
    for (std::uint64_t times = 1; times <= 3; ++times) {
        std::thread([&] {
            test.segment.lock();
            EXPECT_NE(test.segment.allocate(1), nullptr);
            EXPECT_NE(test.segment.allocate(100), nullptr);
        }).join();
        const std::lock_guard<SharedSegment> guard(test.segment);
        EXPECT_EQ(test.segment.statistics().deaths, times);
        EXPECT_EQ(test.segment.statistics().possiblyLost, 2 * times);
    }
    EXPECT_SOUND(test.segment);
}

// The process has not been reaped yet, so the system still knows its id.
TEST_P(SharedLockTest, isRecoveredFromAKilledProcess)
{
    TestSegment test(1 << 18, GetParam());
    std::fflush(nullptr);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        test.segment.lock();
        test.segment.lock();
        raise(SIGKILL);
    }
    siginfo_t info;
    ASSERT_EQ(waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(test.segment.tryLockFor(60000));
    EXPECT_EQ(test.segment.statistics().deaths, 1u);
    test.segment.unlock();
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_SOUND(test.segment);
}

#if defined(__linux__)

// Takes the lock and becomes another program, which lives until the pipe is closed.
class ExecutingChild
{
public:
    explicit ExecutingChild(SharedSegment &segment)
    {
        int executed[2], end[2];
        EXPECT_EQ(pipe2(executed, O_CLOEXEC), 0);
        EXPECT_EQ(pipe(end), 0);
        std::fflush(nullptr);
        m_pid = fork();
        if (m_pid == 0) {
            alarm(120);
            dup2(end[0], STDIN_FILENO);
            close(end[1]);
            segment.lock();
            if (!segment.allocate(1))
                _exit(1);
            execlp("cat", "cat", nullptr);
            _exit(2);
        }
        close(executed[1]);
        close(end[0]);
        m_end = end[1];
        char byte;
        EXPECT_EQ(read(executed[0], &byte, 1), 0) << "closed by exec()";
        close(executed[0]);
    }
    ~ExecutingChild()
    {
        close(m_end);
        int status = -1;
        EXPECT_EQ(waitpid(m_pid, &status, 0), m_pid);
        EXPECT_EQ(status, 0);
    }
    bool isRunning() const { return waitpid(m_pid, nullptr, WNOHANG) == 0; }

private:
    pid_t m_pid;
    int m_end;
};

TEST_P(SharedLockTest, isRecoveredFromAProcessThatExecutesAnotherProgram)
{
    TestSegment test(1 << 18, GetParam());
    const ExecutingChild child(test.segment);
    ASSERT_TRUE(test.segment.tryLockFor(60000));
    EXPECT_TRUE(child.isRunning());
    EXPECT_EQ(test.segment.statistics().deaths, 1u);
    EXPECT_EQ(test.segment.statistics().possiblyLost, 1u);
    test.segment.unlock();
    EXPECT_SOUND(test.segment);
}

// The new program has the number of the thread that took the lock.
TEST_P(SharedLockTest, isRecoveredByTheProgramThatIsExecuted)
{
    TestSegment test(1 << 18, GetParam());
    const std::string name(test.name);
    EXPECT_EQ(exitCodeOfChild([&] {
                  test.segment.lock();
                  if (!test.segment.allocate(1))
                      return 1;
                  setenv("QPOOL_ATTACHED_SEGMENT", name.c_str(), 1);
                  execl("/proc/self/exe", "tst_sharedlock", "--gtest_filter=ExecutedTest.*",
                        "--gtest_also_run_disabled_tests", nullptr);
                  return 2;
              }),
              0);
    ASSERT_TRUE(test.segment.try_lock());
    EXPECT_EQ(test.segment.statistics().deaths, 1u);
    EXPECT_EQ(test.segment.statistics().possiblyLost, 1u);
    test.segment.unlock();
    EXPECT_SOUND(test.segment);
}

// Run by the test above.
TEST(ExecutedTest, DISABLED_attaches)
{
    SharedSegment segment = SharedSegment::attach(std::getenv("QPOOL_ATTACHED_SEGMENT"));
    ASSERT_TRUE(segment) << errorText(SharedSegment::lastError());
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(segment.tryLockFor(60000));
        EXPECT_NE(segment.allocate(100), nullptr);
        segment.unlock();
    }
}

#endif // __linux__

INSTANTIATE_TEST_SUITE_P(, SharedLockTest,
                         testing::Values(SharedLockKind::Spin, SharedLockKind::Futex, SharedLockKind::Robust),
                         nameOfParam);

TEST(SharedIdentityTest, identifiesOneThreadOnly)
{
    using Os::ThreadIdentity;
    const ThreadIdentity::Number own = ThreadIdentity::current();
    EXPECT_EQ(ThreadIdentity::current(), own);
    EXPECT_TRUE(ThreadIdentity::isAlive(own));
    EXPECT_FALSE(ThreadIdentity::isAlive(own ^ std::uint64_t(1) << 40)) << "started at another time";
    ThreadIdentity::Number others = 0;
    std::thread([&] {
        others = ThreadIdentity::current();
        EXPECT_TRUE(ThreadIdentity::isAlive(others));
    }).join();
    EXPECT_NE(others, own);
    EXPECT_EQ(exitCodeOfChild([&] {
                  return ThreadIdentity::current() != own && ThreadIdentity::isAlive(own) ? 0 : 1;
              }),
              0);
    EXPECT_EQ(own & ThreadIdentity::Flag, 0u);
}

} // namespace
