// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MODELS_H
#define MODELS_H

#include "pool/qsizedpoolallocator.h"

#include <gtest/gtest.h>

#include <string>

// The parameters of typed tests.

using AllModels = ::testing::Types<QPool::SingleThreaded, QPool::SharedPool, QPool::MultiPool,
                                   QPool::MultiThreaded>;
using ManyThreadsModels =
        ::testing::Types<QPool::SharedPool, QPool::MultiPool, QPool::MultiThreaded>;
using AnyThreadFreesModels = ::testing::Types<QPool::SharedPool, QPool::MultiThreaded>;

struct ModelNames
{
    template <class Model>
    static std::string GetName(int) { return Model::Name; }
};

// Pools are types, and equal types are one pool: a test that needs its own pool uses pages with its own
// tag.
template <class Tag>
class TaggedPages : public QPool::SystemPages
{
};

// The pages that a pool's arenas hold, and their backlogs.
struct ArenaTotals
{
    unsigned arenas = 0;
    unsigned orphans = 0;
    std::uint64_t pages = 0;
    std::uint64_t live = 0;
    std::uint64_t liveBytes = 0;
    std::uint64_t backlog = 0;
    std::uint64_t adoptions = 0;
};

template <class Pool>
ArenaTotals arenaTotals()
{
    ArenaTotals totals;
    Pool::forEachArena([&](const QPool::ArenaStatistics &arena) {
        ++totals.arenas;
        totals.orphans += arena.orphaned;
        totals.pages += arena.pages;
        totals.live += arena.live;
        totals.liveBytes += arena.liveBytes;
        totals.backlog += arena.backlog;
        totals.adoptions += arena.adoptions;
    });
    return totals;
}

// A pool of which no chunk is in use must be able to give every page back. A chunk that was lost keeps
// its page, so this detects it.
template <class Pool>
void expectNothingLost()
{
    Pool::trim();
    const ArenaTotals totals = arenaTotals<Pool>();
    EXPECT_EQ(totals.live, 0u);
    EXPECT_EQ(totals.liveBytes, 0u);
    EXPECT_EQ(totals.backlog, 0u);
    EXPECT_EQ(totals.pages, 0u) << "a chunk was lost";
}

#endif // MODELS_H
