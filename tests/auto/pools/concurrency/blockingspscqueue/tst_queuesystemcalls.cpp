// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// System calls are counted by a filter of the calling thread that turns each into a signal.

#include "pools/concurrency/qblockingspscqueue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace QPool;

namespace {

std::atomic<int> s_futexCalls { 0 };

void count(int) { s_futexCalls.fetch_add(1); }

// From here on, until the thread ends. Only the futex is trapped: what follows, a test's own calls among
// it, has others. Trapped calls are not made, but come back as a call of a sleep that something else ended
// does. False where the system does not permit filters.
bool trapFutexCalls()
{
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter = { sizeof program / sizeof *program, program };
    struct sigaction action = {};
    action.sa_handler = count;
    return sigaction(SIGSYS, &action, nullptr) == 0
            && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// How many such calls \a body makes, in a thread of its own; -1 if they cannot be counted.
template <class Body>
int futexCallsOf(Body &&body)
{
    int calls = -1;
    std::thread([&] {
        if (!trapFutexCalls())
            return;
        s_futexCalls = 0;
        body();
        calls = s_futexCalls;
    }).join();
    return calls;
}

// According to the system, the thread sleeps, and this is the only place where it can.
bool isAsleep(pid_t thread)
{
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name = line.rfind(')');
    return name != std::string::npos && line.compare(name, 3, ") S") == 0;
}

// Its first member is the word that is slept on.
void wakeUncounted(AutoResetEvent &event)
{
    Os::futexWake(reinterpret_cast<std::atomic<std::uint32_t> &>(event));
}

#define SKIP_UNLESS_COUNTED(calls) \
    do { \
        if ((calls) < 0) \
            GTEST_SKIP() << "the system permits no filter of system calls"; \
    } while (false)

} // namespace

TEST(QueueSystemCalls, areCounted)
{
    const int calls = futexCallsOf([] {
        AutoResetEvent event;
        event.waitFor(std::chrono::milliseconds(1));
    });
    SKIP_UNLESS_COUNTED(calls);
    EXPECT_GE(calls, 1);
}

TEST(QueueSystemCalls, areNotMadeForAnEventWithoutWaiters)
{
    const int calls = futexCallsOf([] {
        AutoResetEvent event;
        for (int i = 0; i < 1000; ++i) {
            event.signal();
            event.wait();
            event.signal();
            event.signal();
            EXPECT_TRUE(event.tryWait());
            EXPECT_FALSE(event.tryWait());
        }
    });
    SKIP_UNLESS_COUNTED(calls);
    EXPECT_EQ(calls, 0);
}

TEST(QueueSystemCalls, areNotMadeForAQueueWithoutSleepers)
{
    const int calls = futexCallsOf([] {
        BlockingSpscQueue<int> queue(64);
        int batch[100] = {};
        for (int round = 0; round < 1000; ++round) {
            for (int i = 0; i < 64; ++i)
                queue.push(i);
            EXPECT_FALSE(queue.tryPush(64));
            for (int i = 0; i < 64; ++i)
                EXPECT_EQ(queue.pop(), i);
            EXPECT_FALSE(queue.tryPop());
            EXPECT_EQ(queue.pushBatch(batch, 64), 64u);
            EXPECT_EQ(queue.popBatch(batch, 100), 64u);
        }
        queue.close();
    });
    SKIP_UNLESS_COUNTED(calls);
    EXPECT_EQ(calls, 0);
}

// While a thread sleeps, the first signal makes one call, and the next ones make none.
TEST(QueueSystemCalls, areMadeOnceForASleeper)
{
    // The wake-up is trapped, and so does not happen. The sleeper needs a second one, and the test must
    // know that it sleeps before the first.
    AutoResetEvent event;
    std::atomic<pid_t> sleeper { 0 };
    std::thread thread([&] {
        sleeper = pid_t(syscall(SYS_gettid));
        event.wait();
    });
    while (sleeper == 0 || !isAsleep(sleeper))
        std::this_thread::yield();
    const int calls = futexCallsOf([&] {
        for (int i = 0; i < 1000; ++i)
            event.signal();
    });
    wakeUncounted(event);
    thread.join();
    SKIP_UNLESS_COUNTED(calls);
    EXPECT_EQ(calls, 1);
}

// A batch that an exception ends early wakes the sleeper for the elements pushed before it.
TEST(QueueSystemCalls, aThrowingBatchStillWakesTheSleeper)
{
    struct Number
    {
        explicit Number(int number) : number(number)
        {
            if (number < 0)
                throw std::runtime_error("negative");
        }
        int number;
    };
    BlockingSpscQueue<Number> queue(4);
    std::atomic<pid_t> sleeper { 0 };
    std::thread consumer([&] {
        sleeper = pid_t(syscall(SYS_gettid));
        std::optional<Number> number = queue.pop();
        ASSERT_TRUE(number);
        EXPECT_EQ(number->number, 7);
    });
    while (sleeper == 0 || !isAsleep(sleeper))
        std::this_thread::yield();
    const int batch[] = { 7, -1 };
    EXPECT_THROW(queue.pushBatch(batch, 2), std::runtime_error);
    consumer.join();
}
