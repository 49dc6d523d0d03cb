// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Which thread may call, as hardened builds check it.

#include "childprocess.h"
#include "contracts.h"

using namespace QPool;

namespace {

class ThreadContractsTest : public ContractsFixture
{
};

TEST_F(ThreadContractsTest, singleThreadedReportsASecondThread)
{
    using Pool = QPoolAllocator<40, SingleThreaded>;
    void *chunk = Pool::allocate();
    EXPECT_FATAL(inOtherThread([] { (void) Pool::allocate(); }),
                 "qpool: SingleThreaded: thread [0-9]+ allocates from it, but the pool is "
                 "thread [0-9]+'s");
    EXPECT_FATAL(inOtherThread([&] { Pool::deallocate(chunk); }),
                 "qpool: SingleThreaded: 0x[0-9a-f]+, freed by thread [0-9]+, but the pool is "
                 "thread [0-9]+'s");
    Pool::deallocate(chunk);
}

TEST_F(ThreadContractsTest, singleThreadedMayBelongToAnyThread)
{
    struct Tag;
    using Pool = QPoolAllocator<40, SingleThreaded, TaggedPages<Tag>>;
    inOtherThread([] { Pool::deallocate(Pool::allocate()); });
    EXPECT_FATAL((void) Pool::allocate(), "SingleThreaded: thread [0-9]+ allocates from it");
}

// The child's only thread is the one that forked, under another number.
TEST_F(ThreadContractsTest, singleThreadedMayBeUsedAfterAFork)
{
    using Pool = QPoolAllocator<40, SingleThreaded>;
    void *chunk = Pool::allocate();
    EXPECT_EQ(exitCodeOfChild([&] {
        Pool::deallocate(chunk);
        void *again = Pool::allocate();
        Pool::deallocate(again);
        return again ? 0 : 1;
    }), 0);
    Pool::deallocate(chunk);
}

TEST_F(ThreadContractsTest, multiPoolReportsAFreeByAnotherThread)
{
    using Pool = QPoolAllocator<40, MultiPool>;
    void *chunk = Pool::allocate();
    const char *message = "qpool: MultiPool: 0x[0-9a-f]+ is freed by thread [0-9]+, but thread "
                          "[0-9]+ allocated it";
    EXPECT_FATAL(inOtherThread([&] { Pool::deallocate(chunk); }), message);
    EXPECT_FATAL(inOtherThread([&] {
        Pool::deallocate(Pool::allocate());
        Pool::deallocate(chunk);
    }), message);
    Pool::deallocate(chunk);
}

TEST_F(ThreadContractsTest, multiPoolsOrphansAreFreedByTheirAdopter)
{
    using Pool = QPoolAllocator<48, MultiPool>;
    void *chunk = nullptr;
    inOtherThread([&] { chunk = Pool::allocate(); });
    inOtherThread([&] {
        // The arena came to this thread with its first allocation.
        Pool::deallocate(Pool::allocate());
        Pool::deallocate(chunk);
    });
    expectNothingLost<Pool>();
}

// A thread that sleeps allows others to visit its arena; what it frees after it wakes still counts as
// its own.
TEST_F(ThreadContractsTest, multiPoolOwnershipSurvivesSleep)
{
    using Pool = QPoolAllocator<56, MultiPool>;
    void *chunk = Pool::allocate();
    void *other = nullptr;
    Pool::idle();
    Pool::deallocate(chunk);
    Pool::idle();
    EXPECT_FATAL(Pool::deallocate(chunk), report("MultiPool", chunk, "is free already"));
    EXPECT_FATAL(inOtherThread([&] {
        other = Pool::allocate();
        std::thread([&] {
            Pool::deallocate(Pool::allocate());
            Pool::idle();
            Pool::deallocate(other);
        }).join();
    }), "qpool: MultiPool: 0x[0-9a-f]+ is freed by thread [0-9]+, but thread [0-9]+ allocated it");
    expectNothingLost<Pool>();
}

// Chunks that a thread borrows from an orphan are marked like all others.
TEST_F(ThreadContractsTest, multiThreadedFindsADoubleFreeOfABorrowedChunk)
{
    struct Tag;
    using Pool = QPoolAllocator<64, MultiThreaded, TaggedPages<Tag>>;
    constexpr std::size_t count = 20 * 1024;
    // Two orphans: the next thread adopts one, and borrows from the other.
    std::vector<void *> kept[2];
    Rendezvous meeting(2);
    std::vector<std::thread> threads;
    for (auto &some : kept) {
        threads.emplace_back([&] {
            std::vector<void *> chunks;
            for (std::size_t i = 0; i < count; ++i)
                chunks.push_back(Pool::allocate());
            meeting.wait();
            for (std::size_t i = 0; i < count; ++i) {
                if (i % 64 == 0)
                    some.push_back(chunks[i]);
                else
                    Pool::deallocate(chunks[i]);
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    const std::uint64_t pages = arenaTotals<Pool>().pages;
    std::vector<void *> more;
    inOtherThread([&] {
        for (std::size_t i = 0; i < 2 * count * 9 / 10; ++i) {
            more.push_back(Pool::allocate());
            std::memset(more.back(), 0x41, 64);
        }
        EXPECT_LE(arenaTotals<Pool>().pages, pages + 8) << "nothing was borrowed";
        for (void *chunk : more)
            Pool::deallocate(chunk);
        for (void *chunk : { more.front(), more.back() }) {
            EXPECT_FATAL(Pool::deallocate(chunk),
                         report("MultiThreaded", chunk, "is free already"));
        }
    });
    for (auto &some : kept) {
        for (void *chunk : some)
            Pool::deallocate(chunk);
    }
    expectNothingLost<Pool>();
}

TEST_F(ThreadContractsTest, messagesNameThePointerAndTheThread)
{
    EXPECT_EQ(exitCodeOfChild([] {
        // stderr becomes a pipe, to be read by whom it was forked from.
        int ends[2];
        if (pipe(ends) != 0)
            return 1;
        const pid_t child = fork();
        if (child == 0) {
            using Pool = QPoolAllocator<40, SharedPool>;
            void *chunk = Pool::allocate();
            std::printf("%s", "");
            dup2(ends[1], STDERR_FILENO);
            char expected[64];
            const int length = std::snprintf(expected, sizeof(expected), "%p %llu\n", chunk,
                                             static_cast<unsigned long long>(Os::threadId()));
            if (write(ends[1], expected, std::size_t(length)) != length)
                _exit(2);
            Pool::deallocate(chunk);
            Pool::deallocate(chunk);
            _exit(3);
        }
        close(ends[1]);
        int status = 0;
        waitpid(child, &status, 0);
        FILE *stream = fdopen(ends[0], "r");
        char pointer[32];
        char thread[32];
        char message[512];
        if (std::fscanf(stream, "%31s %31s\n", pointer, thread) != 2)
            return 4;
        if (!std::fgets(message, sizeof(message), stream))
            return 5;
        std::fclose(stream);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            return 6;
        if (!std::strstr(message, pointer) || !std::strstr(message, thread))
            return 7;
        return std::strstr(message, "SharedPool") ? 0 : 8;
    }), 0);
}

TEST_F(ThreadContractsTest, multiThreadedFindsADoubleFreeByAnotherThread)
{
    using Pool = QPoolAllocator<40, MultiThreaded>;
    void *chunk = Pool::allocate();
    // Still in the other thread's remote cache, then in the backlog, then with a thread that is gone.
    EXPECT_FATAL(inOtherThread([&] {
        Pool::deallocate(chunk);
        Pool::deallocate(chunk);
    }), report("MultiThreaded", chunk, "is free already"));
    EXPECT_FATAL(inOtherThread([&] {
        Pool::deallocate(chunk);
        Pool::flush();
        Pool::deallocate(chunk);
    }), report("MultiThreaded", chunk, "is free already"));
    EXPECT_FATAL({
        inOtherThread([&] { Pool::deallocate(chunk); });
        Pool::deallocate(chunk);
    }, report("MultiThreaded", chunk, "is free already"));
    EXPECT_FATAL({
        Pool::deallocate(chunk);
        inOtherThread([&] { Pool::deallocate(chunk); });
    }, report("MultiThreaded", chunk, "is free already"));
    Pool::deallocate(chunk);
}

} // namespace
