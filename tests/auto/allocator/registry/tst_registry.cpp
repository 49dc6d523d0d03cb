// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "core/qpoolregistry.h"
#include "failingpages.h"
#include "pages/qpoolstaticpages.h"

#include <gtest/gtest.h>

#include <mutex>
#include <vector>

using namespace QPool;

namespace {

struct Tag;
using Pages = FailingPages<StaticPages<512 * 1024, Tag, 8192, std::mutex>>;

struct OneClass
{
    static constexpr unsigned BinCount = 1;
    static constexpr std::size_t chunkSize(unsigned) { return 1024; }
};

using Registry = ArenaRegistry<OneClass, Pages>;

class RegistryTest : public ::testing::Test
{
protected:
    ~RegistryTest() override { Pages::setBudget(INT64_MAX); }

    Arena<OneClass> *acquire()
    {
        std::lock_guard<std::mutex> lock(registry.lock());
        return registry.acquire("test");
    }

    void release(Arena<OneClass> *arena)
    {
        registry.release(arena);
    }

    std::vector<std::uint32_t> ids() const
    {
        std::vector<std::uint32_t> ids;
        for (const auto *arena = registry.arenas(); arena; arena = arena->nextArena)
            ids.push_back(arena->id);
        return ids;
    }

    Registry registry;
};

TEST_F(RegistryTest, numbersArenasAndListsTheNewestFirst)
{
    EXPECT_EQ(registry.arenas(), nullptr);
    EXPECT_EQ(acquire()->id, 1u);
    EXPECT_EQ(acquire()->id, 2u);
    EXPECT_EQ(acquire()->id, 3u);
    EXPECT_EQ(ids(), (std::vector<std::uint32_t> { 3, 2, 1 }));
}

TEST_F(RegistryTest, handsOutTheNewestOrphanBeforeANewArena)
{
    auto *first = acquire();
    auto *second = acquire();
    release(first);
    release(second);
    EXPECT_TRUE(first->orphaned);
    EXPECT_EQ(acquire(), second);
    EXPECT_FALSE(second->orphaned);
    EXPECT_EQ(acquire(), first);
    EXPECT_EQ(first->nextOrphan, nullptr);
    EXPECT_EQ(acquire()->id, 3u);
    EXPECT_EQ(ids().size(), 3u);
}

TEST_F(RegistryTest, refusalOfAnArenaChangesNothing)
{
    Pages::setBudget(0);
    EXPECT_EQ(acquire(), nullptr);
    EXPECT_EQ(registry.arenas(), nullptr);
    Pages::setBudget(INT64_MAX);
    EXPECT_EQ(acquire()->id, 1u);
}

TEST_F(RegistryTest, remoteCachesAreUsedAgain)
{
    std::lock_guard<std::mutex> lock(registry.lock());
    RemoteCache *first = registry.acquireRemoteCache();
    RemoteCache *second = registry.acquireRemoteCache();
    ASSERT_NE(first, second);
    registry.releaseRemoteCache(first);
    registry.releaseRemoteCache(second);
    EXPECT_EQ(registry.acquireRemoteCache(), second);
    EXPECT_EQ(registry.acquireRemoteCache(), first);
}

// No thread adopts the orphan: a thread that pushes to it visits it.
TEST_F(RegistryTest, pushingToOrphansTrimsThem)
{
    auto *arena = acquire();
    Bin &bin = arena->bins[0];
    std::vector<void *> chunks;
    for (int i = 0; i < 100; ++i) {
        void *chunk = bin.pop();
        chunks.push_back(chunk ? chunk : SlowPath<Pages>::allocate(*arena, bin, 1024));
        ASSERT_NE(chunks.back(), nullptr);
    }
    release(arena);
    for (void *pointer : chunks) {
        auto *chunk = static_cast<FreeChunk *>(pointer);
        bin.backlog.push(chunk, chunk, 1);
        registry.pushed(*arena, arena->noteBacklog(1024));
        EXPECT_EQ(bin.backlog.pending(), 0u);
    }
    EXPECT_EQ(arena->pageCount, 0u);
}

} // namespace
