// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// How publishing begins, fails and ends. Each test runs in a separate process, because a process
// publishes once.

#include "publishedpool.h"
#include "childprocess.h"
#include "rendezvous.h"
#include "testscale.h"
#include "waitingchild.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

using namespace QPool;

namespace {

// The addresses that a published segment takes.
constexpr std::size_t segmentBytes = std::size_t(sizeof(void *) == 8 ? 64 : 8) << 20;

bool allocateSome()
{
    for (int i = 0; i < 100; ++i) {
        if (!Published::allocate(binOf(1, 56)))
            return false;
    }
    return true;
}

TEST(PublicationEndsTest, publishesNothingBeforeTheFirstUse)
{
    WaitingChild child([] { return true; });
    ASSERT_TRUE(child.isReady());
    MonitoredProcess::Error error;
    std::string message;
    EXPECT_FALSE(attachTo(child.pid(), &message, &error));
    EXPECT_EQ(error, MonitoredProcess::NotPublishing);
    EXPECT_NE(message.find("publishes nothing"), std::string::npos) << message;
}

TEST(PublicationEndsTest, refusesAProcessThatIsGone)
{
    pid_t gone;
    {
        WaitingChild child([] { return true; });
        gone = child.pid();
    }
    MonitoredProcess::Error error;
    std::string message;
    EXPECT_FALSE(attachTo(gone, &message, &error));
    EXPECT_EQ(error, MonitoredProcess::NoProcess);
    EXPECT_FALSE(attachTo(-1, &message, &error));
    EXPECT_EQ(error, MonitoredProcess::NoProcess);
}

TEST(PublicationEndsTest, lastCountsOutliveTheProcess)
{
    WaitingChild child(allocateSome);
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    EXPECT_EQ(classOf(process->read(), 1, 56).live(), 100u);
    EXPECT_EQ(process->state(), MonitoredProcess::Publishing);
    EXPECT_EQ(child.wait(), 0);
    EXPECT_EQ(process->state(), MonitoredProcess::Gone);
    // Its last statistics are still there.
    EXPECT_EQ(classOf(process->read(), 1, 56).live(), 100u);
}

TEST(PublicationEndsTest, lastCountsOutliveAKilledProcess)
{
    WaitingChild child(allocateSome);
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    child.killOnly();
    EXPECT_EQ(process->state(), MonitoredProcess::Gone) << "a zombie is";
    MonitoredProcess::Error error;
    EXPECT_FALSE(attachTo(child.pid(), nullptr, &error));
    EXPECT_EQ(error, MonitoredProcess::NoProcess);
    child.wait();
    EXPECT_EQ(process->state(), MonitoredProcess::Gone);
    EXPECT_EQ(classOf(process->read(), 1, 56).live(), 100u);
    for (const ListedProcess &listed : listProcesses())
        EXPECT_NE(listed.pid, child.pid());
}

// Another process gets the number of the one that is followed.
TEST(PublicationEndsTest, aReusedProcessIdIsAnotherProcess)
{
    auto child = std::make_unique<WaitingChild>(allocateSome);
    ASSERT_TRUE(child->isReady());
    const pid_t pid = child->pid();
    const auto process = attachTo(pid);
    ASSERT_TRUE(process);
    child.reset();
    // The superuser may set the next process id; another process may take it first.
    for (int attempt = 0; attempt < 20; ++attempt) {
        std::ofstream last("/proc/sys/kernel/ns_last_pid");
        last << pid - 1 << std::flush;
        if (!last)
            GTEST_SKIP() << "only the superuser can choose a process's number";
        last.close();
        WaitingChild next(allocateSome);
        ASSERT_TRUE(next.isReady());
        if (next.pid() != pid)
            continue;
        EXPECT_EQ(process->state(), MonitoredProcess::Gone);
        const auto another = attachTo(pid);
        ASSERT_TRUE(another);
        EXPECT_EQ(another->state(), MonitoredProcess::Publishing);
        return;
    }
    GTEST_SKIP() << "other processes took the number each time";
}

// After exec() the process is another program's, which publishes nothing here.
TEST(PublicationEndsTest, isSilentAfterExec)
{
    int pipeEnds[2];
    ASSERT_EQ(pipe(pipeEnds), 0);
    WaitingChild child(allocateSome, [&] {
        dup2(pipeEnds[1], STDOUT_FILENO);
        execlp("sh", "sh", "-c", "echo ready; exec sleep 100", nullptr);
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    child.tell();
    char ready;
    ASSERT_EQ(read(pipeEnds[0], &ready, 1), 1);
    EXPECT_EQ(process->state(), MonitoredProcess::Silent);
    MonitoredProcess::Error error;
    EXPECT_FALSE(attachTo(child.pid(), nullptr, &error));
    EXPECT_EQ(error, MonitoredProcess::NotPublishing);
    child.kill();
    EXPECT_EQ(process->state(), MonitoredProcess::Gone);
    close(pipeEnds[0]);
    close(pipeEnds[1]);
}

TEST(PublicationEndsTest, refusesAnotherUser)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "only the superuser can become another user";
    WaitingChild child(allocateSome);
    ASSERT_TRUE(child.isReady());
    EXPECT_EQ(exitCodeOfChild([&] {
        if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)
            return 2;
        MonitoredProcess::Error error;
        std::string message;
        if (attachTo(child.pid(), &message, &error) || error != MonitoredProcess::NotPermitted)
            return 3;
        return message.find("another user") != std::string::npos ? 0 : 4;
    }), 0);
}

// A program that cannot publish prints one line on stderr, and works.
template <class Limit>
std::string refused(Limit &&limit)
{
    int errors[2];
    if (pipe(errors) != 0)
        return "no pipe";
    WaitingChild child([&] {
        dup2(errors[1], STDERR_FILENO);
        limit();
        const bool fine = allocateSome();
        close(STDERR_FILENO);
        return fine;
    });
    close(errors[1]);
    if (!child.isReady())
        return "it could not allocate";
    MonitoredProcess::Error error;
    if (attachTo(child.pid(), nullptr, &error) || error != MonitoredProcess::NotPublishing)
        return "it publishes";
    child.wait();
    std::string text;
    char buffer[1024];
    for (ssize_t length; (length = read(errors[0], buffer, sizeof(buffer))) > 0;)
        text.append(buffer, std::size_t(length));
    close(errors[0]);
    return text;
}

TEST(PublicationEndsTest, reportsALackOfDescriptorsInOneLine)
{
    const std::string line = refused([] {
        while (dup(STDIN_FILENO) >= 0)
            if (dup(STDIN_FILENO) > 60)
                lower(RLIMIT_NOFILE, 32);
    });
    EXPECT_EQ(line.rfind("qpool: the pool's statistics are not published: ", 0), 0u) << line;
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
}

// Growing a file beyond the limit would end the program.
TEST(PublicationEndsTest, reportsAFileSizeLimitInOneLine)
{
    const std::string line = refused([] { lower(RLIMIT_FSIZE, 4096); });
    EXPECT_EQ(line.rfind("qpool: the pool's statistics are not published: ", 0), 0u) << line;
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
}

TEST(PublicationEndsTest, reportsALimitedAddressSpace)
{
    if (!TestScale::ownsAddressSpace)
        GTEST_SKIP() << "the tool needs addresses of its own";
    const std::string line = refused([] {
        // On 32 bits, the smallest range takes as many addresses as the segment.
        if (sizeof(void *) == 4)
            SystemPages::acquirePage();
        // Enough for the pool, which takes a smaller range, but not for the segment.
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        lower(RLIMIT_AS, pages * std::size_t(sysconf(_SC_PAGESIZE)) + segmentBytes / 16 * 15);
    });
    EXPECT_EQ(line.rfind("qpool: the pool's statistics are not published: ", 0), 0u) << line;
}

// A program may close descriptors that it does not know, and open a file with that number.
TEST(PublicationEndsTest, poolSurvivesAClosedDescriptor)
{
    WaitingChild child(
            [] {
                if (!allocateSome())
                    return false;
                for (int descriptor = 3; descriptor < 64; ++descriptor) {
                    struct stat status;
                    if (fstat(descriptor, &status) == 0 && status.st_size >= 1 << 20)
                        close(descriptor);
                }
                const int own = open("/dev/null", O_RDONLY);
                // More arenas, and a fork: none of this changes the file.
                for (int i = 0; i < 4; ++i)
                    std::thread(allocateSome).join();
                if (exitCodeOfChild([own] {
                        return allocateSome() && fcntl(own, F_GETFD) >= 0 ? 0 : 1;
                    }) != 0) {
                    return false;
                }
                return own >= 0 && fcntl(own, F_GETFD) >= 0;
            });
    ASSERT_TRUE(child.isReady());
    MonitoredProcess::Error error;
    EXPECT_FALSE(attachTo(child.pid(), nullptr, &error));
    EXPECT_EQ(error, MonitoredProcess::NotPublishing);
}

// The program's own handlers, registered before it used the pool, free blocks from before the fork and
// allocate more; also in the child, which has its own memory by then.
TEST(PublicationEndsTest, forkHandlersMayFreeAndAllocate)
{
    WaitingChild child([] {
        static void *chunk = nullptr;
        const auto useThePool = [] {
            Published::deallocate(std::exchange(chunk, Published::allocate(binOf(1, 56))));
            allocateSome();
        };
        pthread_atfork(useThePool, useThePool, useThePool);
        if (!allocateSome())
            return false;
        chunk = Published::allocate(binOf(1, 56));
        return chunk && exitCodeOfChild([] { return allocateSome() ? 0 : 1; }) == 0;
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    // The parent's operations before and after the fork; those of the child are not included.
    EXPECT_EQ(classOf(process->read(), 1, 56).live(), 301u);
}

// A child of a bare clone(), where no handlers run, has none of the memory. It ends at its first
// use of the pool, and has not touched its parent's.
TEST(PublicationEndsTest, aBareCloneLeavesItsParentsPoolAlone)
{
    WaitingChild child([] {
        if (!allocateSome())
            return false;
        const auto clone = pid_t(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
        if (clone == 0) {
            signal(SIGSEGV, SIG_DFL);
            _exit(allocateSome() ? 0 : 1);
        }
        int status = 0;
        return waitpid(clone, &status, 0) == clone && WIFSIGNALED(status)
                && WTERMSIG(status) == SIGSEGV && allocateSome();
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    EXPECT_EQ(classOf(process->read(), 1, 56).live(), 200u);
}

// More threads at once than the segment has room for: the reader learns how many it cannot see.
TEST(PublicationEndsTest, countsArenasThatDoNotFit)
{
    constexpr std::uint64_t room = segmentBytes / sizeof(Arena<PublishedLayout>);
    WaitingChild child([] {
        if (!allocateSome())
            return false;
        // Arenas are made by threads; here by asking for their memory, as a thread would.
        std::uint64_t made = 1;
        while (PublishedPages::allocateArena(sizeof(Arena<PublishedLayout>)) && made < room + 10)
            ++made;
        return made == room + 10;
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    const ProcessStatistics statistics = process->read();
    EXPECT_GT(statistics.missingArenas, 5u);
    EXPECT_LT(statistics.missingArenas, 20u);
    EXPECT_EQ(statistics.arenas.size(), 1u);
    EXPECT_EQ(classOf(statistics, 1, 56).live(), 100u);
}

} // namespace
