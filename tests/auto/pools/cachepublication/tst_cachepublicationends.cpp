// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// How publishing object caches begins, is refused and ends. Each test runs in a process of its own: a
// process publishes once.

#include "publishedcaches.h"

#include "pool/qsizedpoolallocator.h"
#include "stats/qpoolpublishedpages.h"

#include "childprocess.h"
#include "rendezvous.h"
#include "testscale.h"
#include "waitingchild.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

using namespace QPool;

namespace {

void ask(const char *wishes)
{
    setenv("QT_POOL_ALLOCATOR", wishes, 1);
}

// One that stays until the process ends.
Cache &makeCache(const char *name)
{
    Cache *cache = new Cache(named(name));
    takeMany(*cache, 10).clear();
    return *cache;
}

bool works(Cache &cache)
{
    takeMany(cache, 50).clear();
    return cache.statistics().inUse == 0 && cache.statistics().held == 50;
}

MonitoredProcess::Error errorOf(pid_t pid)
{
    MonitoredProcess::Error error = MonitoredProcess::NoError;
    attachTo(pid, nullptr, &error);
    return error;
}

TEST(CachePublicationEndsTest, publishesNothingUnlessAsked)
{
    for (const char *wishes : { "", "1", "latency", "monitored" }) {
        WaitingChild child([wishes] {
            ask(wishes);
            return works(makeCache("unseen"));
        });
        ASSERT_TRUE(child.isReady());
        EXPECT_EQ(errorOf(child.pid()), MonitoredProcess::NotPublishing) << wishes;
    }
}

TEST(CachePublicationEndsTest, publishesWhenTheEnvironmentAsks)
{
    for (const char *wishes : { "monitor", "latency,monitor" }) {
        WaitingChild child([wishes] {
            ask(wishes);
            makeCache("seen");
            return true;
        });
        ASSERT_TRUE(child.isReady());
        const auto process = attachTo(child.pid());
        ASSERT_TRUE(process) << wishes;
        EXPECT_EQ(cacheOf(process->readCaches(), "seen").counts().inStocks, 10u);
        EXPECT_EQ(process->readCaches().missing, 0u);
        EXPECT_EQ(process->state(), MonitoredProcess::Publishing);
        EXPECT_GT(process->since(), 1600000000000u); // a time of this century
        // It has no pool that is published.
        EXPECT_TRUE(process->read().arenas.empty());
        EXPECT_TRUE(process->read().enabled);
        EXPECT_EQ(process->read().pid, std::uint64_t(child.pid()));
    }
}

TEST(CachePublicationEndsTest, publishesLaterCachesWhenTheProgramAsks)
{
    WaitingChild child([] {
        Cache &early = makeCache("early");
        static_cast<void>(early.category("part"));
        if (!publishObjectCaches() || !publishObjectCaches())
            return false;
        makeCache("seen");
        return works(early);
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    const CacheListing listing = process->readCaches();
    EXPECT_EQ(listing.missing, 2u);
    ASSERT_EQ(listing.caches.size(), 1u);
    EXPECT_EQ(listing.caches[0].name, "seen");
}

// Threads may work with caches that are not published when the program asks, and make others.
TEST(CachePublicationEndsTest, publishesLaterCachesWhileThreadsWork)
{
    WaitingChild child([] {
        Cache &early = makeCache("early");
        Rendezvous begun(3);
        bool published = false;
        const auto work = [&] {
            auto part = early.category("part");
            begun.wait();
            for (int i = 0; i < 50; ++i) {
                takeMany(part, 100).clear();
                early.flush();
                Cache own(named("own"));
                takeMany(own, 3).clear();
            }
        };
        std::thread a(work), b(work);
        begun.wait();
        published = publishObjectCaches();
        a.join();
        b.join();
        makeCache("late");
        return published && early.statistics().inUse == 0;
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    EXPECT_EQ(cacheOf(process->readCaches(), "late").counts().inStocks, 10u);
    EXPECT_TRUE(cacheOf(process->readCaches(), "early").categories.empty());
}

TEST(CachePublicationEndsTest, isListed)
{
    WaitingChild child([] { return publishObjectCaches(); });
    ASSERT_TRUE(child.isReady());
    int times = 0;
    for (const ListedProcess &listed : listProcesses())
        times += listed.pid == child.pid() && listed.error == MonitoredProcess::NoError;
    EXPECT_EQ(times, 1);
}

// What was read last stays to be read, and nothing is left behind.
TEST(CachePublicationEndsTest, lastCountsOutliveAKilledProcess)
{
    WaitingChild child([] {
        ask("monitor");
        makeCache("killed");
        return true;
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    EXPECT_FALSE(process->readCaches().caches.empty());
    child.kill();
    EXPECT_EQ(process->state(), MonitoredProcess::Gone);
    EXPECT_EQ(cacheOf(process->readCaches(), "killed").counts().inStocks, 10u);
    EXPECT_EQ(errorOf(child.pid()), MonitoredProcess::NoProcess);
}

// What a program says on stderr when it may not publish: one line, and it works all the same.
template <class Limit>
std::string refused(Limit &&limit)
{
    int errors[2];
    if (pipe(errors) != 0)
        return "no pipe";
    WaitingChild child([&] {
        ask("monitor");
        dup2(errors[1], STDERR_FILENO);
        limit();
        const bool fine = works(makeCache("refused")) && works(makeCache("another"))
                && !publishObjectCaches();
        close(STDERR_FILENO);
        return fine;
    });
    close(errors[1]);
    if (!child.isReady())
        return "it did not work";
    if (errorOf(child.pid()) != MonitoredProcess::NotPublishing)
        return "it publishes";
    child.wait();
    std::string text;
    char buffer[1024];
    for (ssize_t length; (length = read(errors[0], buffer, sizeof(buffer))) > 0;)
        text.append(buffer, std::size_t(length));
    close(errors[0]);
    return text;
}

void expectOneLine(const std::string &text)
{
    EXPECT_EQ(text.rfind("qpool: the object caches are not published: ", 0), 0u) << text;
    EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
}

TEST(CachePublicationEndsTest, reportsALackOfDescriptorsInOneLine)
{
    expectOneLine(refused([] {
        while (dup(STDIN_FILENO) >= 0)
            if (dup(STDIN_FILENO) > 60)
                lower(RLIMIT_NOFILE, 32);
    }));
}

// Growing a file beyond the limit would end the program.
TEST(CachePublicationEndsTest, reportsAFileSizeLimitInOneLine)
{
    expectOneLine(refused([] { lower(RLIMIT_FSIZE, 4096); }));
}

// Where the segment is full, caches go on without being seen, and readers are told.
TEST(CachePublicationEndsTest, countsCachesThatDoNotFit)
{
    WaitingChild child([] {
        ask("monitor");
        Cache *early = new Cache(named("early"));
        // Records are made by caches; here by asking for their memory, as a cache would.
        std::size_t records = 1;
        while (CachePublication::allocate<ObjectStock>())
            ++records;
        Cache *late = new Cache(named("late"));
        return records > 1250 * sizeof(void *) && works(*early) && works(*late);
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    const CacheListing listing = process->readCaches();
    EXPECT_EQ(listing.missing, 1u);
    ASSERT_EQ(listing.caches.size(), 1u);
    EXPECT_EQ(listing.caches[0].name, "early");
    EXPECT_EQ(listing.caches[0].categories[0].missingStocks, 1u);
    EXPECT_EQ(listing.caches[0].counts().made, 50u);
}

// A pool that publishes, as QtCore's does.
struct PoolLayout
{
    static constexpr unsigned BinCount = SizeClasses::Count;
    static constexpr std::size_t chunkSize(unsigned bin) noexcept { return SizeClasses::sizeOf(bin); }
    static bool isDisabled() noexcept
    {
        static constexpr PublishedDomain domains[] = { { "event", 0, BinCount } };
        Publication::begin<PoolLayout>({ "1.2.3", domains, 1, true });
        return false;
    }
};
using PublishedPool = PoolFront<PoolLayout, MultiThreaded, PublishedPages>;

TEST(CachePublicationEndsTest, isReadTogetherWithAPool)
{
    WaitingChild child([] {
        ask("monitor");
        makeCache("beside");
        return PublishedPool::allocate(0) != nullptr;
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    EXPECT_EQ(process->read().library, "1.2.3");
    EXPECT_EQ(process->read().arenas.size(), 1u);
    EXPECT_EQ(cacheOf(process->readCaches(), "beside").counts().inStocks, 10u);
}

TEST(CachePublicationEndsTest, aPoolAloneShowsNoCaches)
{
    WaitingChild child([] { return PublishedPool::allocate(0) != nullptr; });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    EXPECT_TRUE(process->readCaches().isEmpty());
}

// Shows an empty segment of another version of the format.
bool publishOtherVersion()
{
    static SharedMemory memory;
    const std::string name = CacheSegmentHeader::NamePrefix + std::to_string(getpid());
    char *place = memory.create(name.c_str(), 8192);
    if (!place || !memory.makeUsable(8192))
        return false;
    auto *header = reinterpret_cast<CacheSegmentHeader *>(place);
    header->byteOrder = SegmentHeader::ByteOrder;
    header->version = CacheSegmentHeader::Version + 1;
    std::memcpy(header->magic, CacheSegmentHeader::Magic, sizeof(header->magic));
    return true;
}

TEST(CachePublicationEndsTest, refusesAnotherVersionButReadsThePool)
{
    constexpr std::uint32_t version = CacheSegmentHeader::Version;
    const std::string what = "it has version " + std::to_string(version + 1)
            + " of the format, and this program reads version " + std::to_string(version);
    WaitingChild child(publishOtherVersion);
    ASSERT_TRUE(child.isReady());
    MonitoredProcess::Error error = MonitoredProcess::NoError;
    std::string message;
    EXPECT_FALSE(attachTo(child.pid(), &message, &error));
    EXPECT_EQ(error, MonitoredProcess::Incompatible);
    EXPECT_EQ(message.find("the segment of object caches of process "), 0u) << message;
    EXPECT_NE(message.find("can't be read: " + what), std::string::npos) << message;

    // Its pool is read all the same.
    WaitingChild both([] { return publishOtherVersion() && PublishedPool::allocate(0); });
    ASSERT_TRUE(both.isReady());
    const auto process = attachTo(both.pid(), &message);
    ASSERT_TRUE(process) << message;
    EXPECT_EQ(process->read().arenas.size(), 1u);
    EXPECT_EQ(process->readCaches().problem, what);
    EXPECT_EQ(process->readCaches().problem, what); // and again
}

// The program's own handlers, registered before it made a cache, take and give back; in the child too,
// which has its memory by then.
TEST(CachePublicationEndsTest, forkHandlersMayTakeObjects)
{
    WaitingChild child([] {
        static Cache *cache = nullptr;
        const auto useTheCache = [] {
            if (cache)
                takeMany(*cache, 40).clear();
        };
        pthread_atfork(useTheCache, useTheCache, useTheCache);
        ask("monitor");
        cache = new Cache(named("handlers"));
        return exitCodeOfChild([] { return works(*cache) ? 0 : 1; }) == 0;
    });
    ASSERT_TRUE(child.isReady());
    const auto process = attachTo(child.pid());
    ASSERT_TRUE(process);
    // Before the fork and after it, here; what the child did is not in it.
    EXPECT_EQ(cacheOf(process->readCaches(), "handlers").counts().takes(), 80u);
}

// A program may close what it does not know.
TEST(CachePublicationEndsTest, cachesSurviveAClosedDescriptor)
{
    WaitingChild child([] {
        ask("monitor");
        Cache &cache = makeCache("closed");
        for (int descriptor = 3; descriptor < 64; ++descriptor) {
            struct stat status;
            if (fstat(descriptor, &status) == 0 && status.st_size >= 1 << 20)
                close(descriptor);
        }
        std::thread([&] { takeMany(cache, 20).clear(); }).join();
        return works(cache) && exitCodeOfChild([&] { return works(cache) ? 0 : 1; }) == 0;
    });
    ASSERT_TRUE(child.isReady());
    EXPECT_EQ(errorOf(child.pid()), MonitoredProcess::NotPublishing);
}

} // namespace
