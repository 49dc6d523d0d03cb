// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What a process publishes, read as another process reads it: the same statistics as its own, the same
// as the test counted, and none of a child of a fork.

#include "publishedpool.h"
#include "childprocess.h"
#include "randomsource.h"
#include "rendezvous.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

using namespace QPool;

namespace {

struct Block
{
    void *chunk;
    unsigned bin;
};

// Whether a free of \a chunk by the calling thread goes to another arena: the thread may have borrowed
// the chunk from an orphan.
bool isRemote(const void *chunk)
{
    const ArenaBase &owner = *PublishedPages::headerOf(chunk)->owner;
    return owner.orphaned || owner.thread != Os::threadId();
}

// What the test itself counted.
struct Count
{
    std::uint64_t allocated = 0;
    std::uint64_t freed = 0;
    std::uint64_t remote = 0;
};

class Work
{
public:
    explicit Work(std::uint64_t seed) : m_random(seed) { }

    void allocate(std::size_t number)
    {
        for (std::size_t i = 0; i < number; ++i) {
            const unsigned bin = unsigned(m_random.below(PublishedLayout::BinCount));
            m_blocks.push_back({ Published::allocate(bin), bin });
            ++m_counts[bin].allocated;
        }
    }

    void free(std::size_t number)
    {
        for (std::size_t i = 0; i < number; ++i) {
            std::swap(m_blocks[m_random.below(m_blocks.size())], m_blocks.back());
            const Block block = m_blocks.back();
            m_blocks.pop_back();
            m_counts[block.bin].remote += isRemote(block.chunk);
            Published::deallocate(block.chunk);
            ++m_counts[block.bin].freed;
        }
        Published::flush();
    }

    std::size_t below(std::size_t number) { return m_random.below(number); }
    std::size_t live() const { return m_blocks.size(); }
    const Count &count(unsigned bin) const { return m_counts[bin]; }

private:
    RandomSource m_random;
    std::vector<Block> m_blocks;
    std::vector<Count> m_counts { PublishedLayout::BinCount };
};

class PublicationTest : public ::testing::Test
{
protected:
    PublicationTest()
    {
        Published::deallocate(Published::allocate(0));
        process = attachTo(getpid(), &message);
    }

    void SetUp() override { ASSERT_TRUE(process) << message; }

    std::string message;
    std::unique_ptr<MonitoredProcess> process;
};

TEST_F(PublicationTest, namesTheProcessLibraryAndDomains)
{
    const ProcessStatistics statistics = process->read();
    EXPECT_EQ(statistics.pid, std::uint64_t(getpid()));
    EXPECT_EQ(statistics.library, "1.2.3");
    EXPECT_TRUE(statistics.enabled);
    EXPECT_EQ(statistics.missingArenas, 0u);
    ASSERT_EQ(statistics.domains.size(), 2u);
    EXPECT_EQ(statistics.domains[0].name, "first");
    EXPECT_EQ(statistics.domains[1].name, "second");
    EXPECT_EQ(process->state(), MonitoredProcess::Publishing);
    EXPECT_NE(process->name().find("tst_publication"), std::string::npos);
    EXPECT_GT(process->since(), 1600000000000u); // a time of this century
}

TEST_F(PublicationTest, isListed)
{
    bool found = false;
    for (const ListedProcess &listed : listProcesses()) {
        if (listed.pid != getpid())
            continue;
        EXPECT_FALSE(found) << "listed twice";
        found = true;
        EXPECT_EQ(listed.error, MonitoredProcess::NoError);
        EXPECT_EQ(listed.name, process->name());
        EXPECT_EQ(listed.statistics.library, "1.2.3");
    }
    EXPECT_TRUE(found);
}

void compareClasses(const ProcessStatistics &before, const ProcessStatistics &now, const Work &work)
{
    for (unsigned bin = 0; bin < PublishedLayout::BinCount; ++bin) {
        const unsigned domain = bin / PublishedLayout::ClassCount;
        const std::size_t size = PublishedLayout::chunkSize(bin);
        const ClassStatistics then = classOf(before, domain, size);
        const ClassStatistics read = classOf(now, domain, size);
        const BinStatistics own = Published::statistics(bin);
        ASSERT_EQ(read.allocated, own.allocated) << size;
        ASSERT_EQ(read.freed, own.freed) << size;
        ASSERT_EQ(read.remote, own.remote) << size;
        ASSERT_EQ(read.allocated - then.allocated, work.count(bin).allocated) << size;
        ASSERT_EQ(read.freed - then.freed, work.count(bin).freed) << size;
        ASSERT_EQ(read.remote - then.remote, work.count(bin).remote) << size;
    }
}

void compareTheRest(const ProcessStatistics &now)
{
    std::vector<ArenaStatistics> own;
    Published::forEachArena([&](const ArenaStatistics &arena) { own.push_back(arena); });
    ASSERT_EQ(now.arenas.size(), own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
        const ArenaStatistics &a = now.arenas[i];
        const ArenaStatistics &b = own[own.size() - 1 - i]; // the newest comes first there
        ASSERT_EQ(a.id, b.id);
        ASSERT_EQ(a.thread, b.thread);
        ASSERT_EQ(a.orphaned, b.orphaned);
        ASSERT_EQ(a.adoptions, b.adoptions);
        ASSERT_EQ(a.pages, b.pages);
        ASSERT_EQ(a.live, b.live);
        ASSERT_EQ(a.liveBytes, b.liveBytes);
        ASSERT_EQ(a.backlog, b.backlog);
    }
    const PageMemory memory = SystemPages::memory();
    ASSERT_EQ(now.memory.reserved, memory.reserved);
    ASSERT_EQ(now.memory.committed, memory.committed);
    ASSERT_EQ(now.memory.decommitted, memory.decommitted);
}

// Whatever is done, the reader, the pool itself and the test count the same.
TEST_F(PublicationTest, countsAgreeWithThePool)
{
    Work work(TestScale::seed());
    const ProcessStatistics before = process->read();
    auto compare = [&] {
        const ProcessStatistics now = process->read();
        compareClasses(before, now, work);
        compareTheRest(now);
    };
    for (std::uint64_t round = 0; round < TestScale::scaled(40); ++round) {
        work.allocate(1 + work.below(3000));
        ASSERT_NO_FATAL_FAILURE(compare());
        // Each of these adopts the arena of the one before, unless this thread borrows from it.
        inOtherThread([&] {
            work.allocate(work.below(3000));
            work.free(work.below(work.live()));
        });
        ASSERT_NO_FATAL_FAILURE(compare());
        work.free(round % 4 == 3 ? work.live() : work.below(work.live() + 1));
        ASSERT_NO_FATAL_FAILURE(compare());
        if (round % 4 == 3) {
            Published::trim();
            ASSERT_NO_FATAL_FAILURE(compare());
        }
    }
    work.free(work.live());
    ASSERT_NO_FATAL_FAILURE(compare());
}

// A reader that reads while threads work gets consistent statistics, and ends.
TEST_F(PublicationTest, countsStaySaneWhileThreadsWork)
{
    std::atomic<bool> stop { false };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 2; ++t) {
        threads.emplace_back([&stop, t] {
            const unsigned bin = binOf(t, 48);
            while (!stop.load(std::memory_order_relaxed)) {
                void *chunks[100];
                for (void *&chunk : chunks)
                    chunk = Published::allocate(bin);
                for (void *chunk : chunks)
                    Published::deallocate(chunk);
            }
        });
    }
    std::uint64_t allocated[2] = { 0, 0 };
    for (std::uint64_t i = 0; i < TestScale::scaled(20000); ++i) {
        const ProcessStatistics statistics = process->read();
        for (unsigned domain = 0; domain < 2; ++domain) {
            const ClassStatistics entry = classOf(statistics, domain, 48);
            // No magazine holds more, so no two moments lie further apart.
            EXPECT_LE(entry.live(), 100u + 1024u);
            EXPECT_GE(entry.allocated + 1024, allocated[domain]);
            allocated[domain] = entry.allocated;
        }
    }
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    const ProcessStatistics quiet = process->read();
    EXPECT_EQ(classOf(quiet, 0, 48).live(), 0u);
    EXPECT_EQ(classOf(quiet, 1, 48).live(), 0u);
}

// Only the owner can write to the file, and no process can truncate it.
TEST_F(PublicationTest, isSealed)
{
    const ProcEntry entry(getpid());
    std::string number;
    const Descriptor file = entry.openMemoryFile(
            SegmentHeader::NamePrefix + std::to_string(getpid()), &number);
    ASSERT_TRUE(file);
    struct stat status;
    ASSERT_EQ(fstat(file.get(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    EXPECT_EQ(status.st_uid, geteuid());
    const std::string path = "/proc/self/fd/" + number;
    const Descriptor writable(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (writable) {
        EXPECT_NE(ftruncate(writable.get(), 0), 0);
        EXPECT_NE(ftruncate(writable.get(), status.st_size * 2), 0);
        EXPECT_LT(pwrite(writable.get(), "x", 1, 0), 0);
        EXPECT_EQ(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, writable.get(), 0),
                  MAP_FAILED);
    }
    EXPECT_EQ(process->state(), MonitoredProcess::Publishing);
}

TEST_F(PublicationTest, aForkedChildPublishesNothing)
{
    constexpr unsigned number = 5000;
    const unsigned bin = binOf(0, 104);
    std::vector<void *> chunks;
    for (unsigned i = 0; i < number; ++i)
        chunks.push_back(Published::allocate(bin));
    const ProcessStatistics before = process->read();
    int toChild[2];
    int toParent[2];
    ASSERT_EQ(pipe(toChild), 0);
    ASSERT_EQ(pipe(toParent), 0);
    const pid_t child = fork();
    if (child == 0) {
        alarm(120);
        bool fine = true;
        // The child continues from the state at the fork, whatever the parent does meanwhile.
        char byte = 0;
        fine &= read(toChild[0], &byte, 1) == 1;
        for (void *chunk : chunks)
            Published::deallocate(chunk);
        for (unsigned i = 0; i < 2 * number; ++i)
            fine &= Published::allocate(bin) != nullptr;
        fine &= Published::statistics(bin).live() == 2 * number;
        std::thread([&] { fine &= Published::allocate(bin) != nullptr; }).join();
        MonitoredProcess::Error error;
        fine &= !attachTo(getpid(), nullptr, &error) && error == MonitoredProcess::NotPublishing;
        byte = fine;
        fine &= write(toParent[1], &byte, 1) == 1;
        _exit(fine ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    // The parent changes data of which the child must have a copy.
    std::vector<void *> more;
    for (unsigned i = 0; i < number; ++i)
        more.push_back(Published::allocate(bin));
    const ProcessStatistics expected = process->read();
    EXPECT_EQ(classOf(expected, 0, 104).live(), classOf(before, 0, 104).live() + number);
    ASSERT_EQ(write(toChild[1], "", 1), 1);
    char fine = 0;
    ASSERT_EQ(read(toParent[0], &fine, 1), 1);
    EXPECT_TRUE(fine);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    const ProcessStatistics after = process->read();
    EXPECT_EQ(classOf(after, 0, 104).allocated, classOf(expected, 0, 104).allocated);
    EXPECT_EQ(classOf(after, 0, 104).freed, classOf(expected, 0, 104).freed);
    EXPECT_EQ(after.arenas.size(), expected.arenas.size());
    for (int end : { toChild[0], toChild[1], toParent[0], toParent[1] })
        close(end);
    for (void *chunk : more)
        Published::deallocate(chunk);
    for (void *chunk : chunks)
        Published::deallocate(chunk);
}

// The same over and over while other threads allocate.
TEST_F(PublicationTest, childrenForkedFromBusyThreadsCanAllocate)
{
    std::atomic<bool> stop { false };
    std::thread worker([&stop] {
        while (!stop.load(std::memory_order_relaxed)) {
            void *chunks[300];
            for (void *&chunk : chunks)
                chunk = Published::allocate(binOf(1, 72));
            for (void *chunk : chunks)
                Published::deallocate(chunk);
        }
    });
    const unsigned bin = binOf(1, 88);
    for (std::uint64_t i = 0; i < TestScale::scaled(100); ++i) {
        void *chunk = Published::allocate(bin);
        ASSERT_EQ(exitCodeOfChild([&] {
            Published::deallocate(chunk);
            std::vector<void *> chunks;
            for (unsigned n = 0; n < 1000; ++n) {
                chunks.push_back(Published::allocate(bin));
                *static_cast<unsigned *>(chunks.back()) = n;
            }
            for (unsigned n = 0; n < 1000; ++n) {
                if (*static_cast<unsigned *>(chunks[n]) != n)
                    return 1; // given away twice
                Published::deallocate(chunks[n]);
            }
            return 0;
        }), 0) << "fork " << i;
        Published::deallocate(chunk);
    }
    stop = true;
    worker.join();
    EXPECT_EQ(classOf(process->read(), 1, 88).live(), 0u);
}

} // namespace
