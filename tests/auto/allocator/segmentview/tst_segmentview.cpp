// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Reading segments that are sound, damaged, or change meanwhile.

#include "qpoolsegmentview.h"
#include "randomsource.h"
#include "samplesegment.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <ostream>
#include <thread>

using namespace QPool;

namespace {

using Words = std::vector<std::uint64_t>;

struct Opened
{
    std::optional<SegmentView> view;
    SegmentView::Error error = SegmentView::NoError;
    std::string message;
};

Opened open(const void *memory, std::size_t bytes)
{
    Opened result;
    result.view = SegmentView::open(memory, bytes, &result.error, &result.message);
    return result;
}

Opened open(const Words &words)
{
    return open(words.data(), words.size() * sizeof(std::uint64_t));
}

// Numbers that any JSON reader and any sum can handle.
void expectSane(const ProcessStatistics &statistics)
{
    constexpr std::uint64_t limit = std::uint64_t(1) << 53;
    for (const DomainStatistics &domain : statistics.domains) {
        for (const ClassStatistics &entry : domain.classes) {
            EXPECT_LT(entry.allocated, limit);
            EXPECT_LT(entry.freed, limit);
            EXPECT_LT(entry.remote, limit);
        }
    }
    for (const ArenaStatistics &arena : statistics.arenas) {
        EXPECT_LT(arena.live, limit);
        EXPECT_LT(arena.liveBytes, limit);
        EXPECT_LT(arena.backlog, limit);
        EXPECT_LT(arena.thread, limit);
    }
    EXPECT_LT(statistics.memory.reserved, limit);
}

class WordsTest : public ::testing::TestWithParam<std::uint32_t>
{
};

TEST_P(WordsTest, readsEveryNumber)
{
    const SampleSegment sample(GetParam());
    const Words memory = sample.memory();
    const Opened opened = open(memory);
    ASSERT_TRUE(opened.view) << opened.message;
    EXPECT_EQ(opened.error, SegmentView::NoError);
    EXPECT_EQ(opened.view->pid(), 4321u);
    EXPECT_EQ(opened.view->since(), 1700000000000u);

    const ProcessStatistics statistics = opened.view->read();
    EXPECT_EQ(statistics.pid, 4321u);
    EXPECT_EQ(statistics.library, "6.7.8");
    EXPECT_TRUE(statistics.enabled);
    EXPECT_EQ(statistics.missingArenas, 3u);
    EXPECT_EQ(statistics.memory.reserved, 1000000u);
    EXPECT_EQ(statistics.memory.committed, 100000u);
    EXPECT_EQ(statistics.memory.decommitted, 10000u);

    ASSERT_EQ(statistics.domains.size(), 2u);
    EXPECT_EQ(statistics.domains[0].name, "event");
    EXPECT_EQ(statistics.domains[1].name, "private");
    for (unsigned bin = 0; bin < SampleSegment::BinCount; ++bin) {
        const DomainStatistics &domain = statistics.domains[bin / 2];
        ASSERT_EQ(domain.classes.size(), 2u);
        const ClassStatistics &entry = domain.classes[bin % 2];
        EXPECT_EQ(entry.size, SampleSegment::Sizes[bin]);
        const std::uint64_t popped = SampleSegment::popped(0, bin) + SampleSegment::popped(1, bin);
        const std::uint64_t loaded = SampleSegment::loaded(0, bin) + SampleSegment::loaded(1, bin);
        EXPECT_EQ(entry.allocated, popped);
        EXPECT_EQ(entry.remote, 2u * (30 + bin));
        EXPECT_EQ(entry.freed, 2u * (30 + bin) + popped - (loaded - 2 * SampleSegment::Held));
    }
    ASSERT_EQ(statistics.arenas.size(), 2u);
    for (unsigned a = 0; a < 2; ++a) {
        const ArenaStatistics &arena = statistics.arenas[a];
        EXPECT_EQ(arena.id, a + 1);
        EXPECT_EQ(arena.thread, 5000u + a);
        EXPECT_EQ(arena.adoptions, 60u + a);
        EXPECT_EQ(arena.orphaned, a == 1);
        EXPECT_EQ(arena.pages, 70u + a);
        EXPECT_EQ(arena.backlog, 4u * 10);
        std::uint64_t live = 0;
        std::uint64_t bytes = 0;
        for (unsigned bin = 0; bin < SampleSegment::BinCount; ++bin) {
            const std::uint64_t here = SampleSegment::loaded(a, bin) - SampleSegment::Held
                    - (30 + bin);
            live += here;
            bytes += here * SampleSegment::Sizes[bin];
        }
        EXPECT_EQ(arena.live, live);
        EXPECT_EQ(arena.liveBytes, bytes);
    }
}

// Cut anywhere it is refused, and nothing beyond the cut is looked at.
TEST_P(WordsTest, refusesASegmentCutShort)
{
    const SampleSegment sample(GetParam());
    const Words whole = sample.memory();
    for (std::size_t words = 0; words < whole.size(); ++words) {
        const Words cut(whole.begin(), whole.begin() + std::ptrdiff_t(words));
        const Opened opened = open(cut);
        EXPECT_FALSE(opened.view) << words;
        EXPECT_EQ(opened.error, words * 8 < sizeof(SegmentHeader) ? SegmentView::Incomplete
                                                                  : SegmentView::Damaged);
    }
}

// Each number of the header in turn is changed.
TEST_P(WordsTest, staysSaneWhenAnyHeaderNumberIsDamaged)
{
    const SampleSegment sample(GetParam());
    for (std::size_t at = 0; at < sizeof(SegmentHeader); at += 4) {
        for (std::uint32_t value : { 0u, 1u, 2u, 3u, 4u, 7u, 8u, 16u, 255u, 256u, 4096u, 65536u,
                                     0x7fffffffu, 0x80000000u, 0xfffffff8u, 0xffffffffu }) {
            Words memory = sample.memory();
            SampleSegment::put(reinterpret_cast<char *>(memory.data()) + at, value, 4);
            const Opened opened = open(memory);
            if (opened.view)
                expectSane(opened.view->read());
            else
                EXPECT_FALSE(opened.message.empty());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(SegmentView, WordsTest, ::testing::Values(4u, 8u));

struct Damage
{
    const char *name;
    SegmentView::Error error;
    std::function<void(SegmentHeader &)> apply;

    // GoogleTest would print its bytes, those between the members included.
    friend void PrintTo(const Damage &damage, std::ostream *out) { *out << damage.name; }
};

class DamageTest : public ::testing::TestWithParam<Damage>
{
};

TEST_P(DamageTest, isRefused)
{
    SampleSegment sample;
    const std::uint64_t bytes = sample.header.segmentBytes;
    Words memory = sample.memory();
    GetParam().apply(sample.header);
    std::memcpy(memory.data(), &sample.header, sizeof(sample.header));
    const Opened opened = open(memory.data(), bytes);
    EXPECT_FALSE(opened.view);
    EXPECT_EQ(opened.error, GetParam().error);
    EXPECT_FALSE(opened.message.empty());
}

using H = SegmentHeader;
constexpr std::uint32_t Huge = 0xfffffff8u; // aligned to 8

INSTANTIATE_TEST_SUITE_P(SegmentView, DamageTest, ::testing::Values(
    Damage { "notMadeYet", SegmentView::Incomplete, [](H &h) { std::memset(h.magic, 0, 8); } },
    Damage { "otherMagic", SegmentView::Damaged, [](H &h) { h.magic[7] = 'x'; } },
    Damage { "otherByteOrder", SegmentView::Incompatible, [](H &h) { h.byteOrder = 0x04030201; } },
    Damage { "newerVersion", SegmentView::Incompatible, [](H &h) { ++h.version; } },
    Damage { "noVersion", SegmentView::Incompatible, [](H &h) { h.version = 0; } },
    Damage { "shortHeader", SegmentView::Damaged, [](H &h) { h.headerBytes -= 8; } },
    Damage { "longHeader", SegmentView::Damaged, [](H &h) { h.headerBytes = Huge; } },
    Damage { "oddWords", SegmentView::Damaged, [](H &h) { h.wordBytes = 5; } },
    Damage { "largerThanItIs", SegmentView::Damaged, [](H &h) { h.segmentBytes += 8; } },
    Damage { "endless", SegmentView::Damaged, [](H &h) { h.segmentBytes = ~std::uint64_t(0); } },
    Damage { "libraryWithoutEnd", SegmentView::Damaged,
             [](H &h) { std::memset(h.library, 'x', sizeof(h.library)); } },
    Damage { "libraryOfEscapes", SegmentView::Damaged, [](H &h) { h.library[0] = '\33'; } },
    Damage { "nameWithoutEnd", SegmentView::Damaged,
             [](H &h) { std::memset(h.domains[1].name, 'x', 16); } },
    Damage { "nameOfEscapes", SegmentView::Damaged, [](H &h) { h.domains[1].name[0] = '\33'; } },
    Damage { "noName", SegmentView::Damaged, [](H &h) { h.domains[0].name[0] = '\0'; } },
    Damage { "noDomain", SegmentView::Damaged, [](H &h) { h.domainCount = 0; } },
    Damage { "manyDomains", SegmentView::Damaged, [](H &h) { h.domainCount = 9; } },
    Damage { "noBin", SegmentView::Damaged, [](H &h) { h.binCount = 0; } },
    Damage { "manyBins", SegmentView::Damaged, [](H &h) { h.binCount = Huge; } },
    Damage { "someBinsMore", SegmentView::Damaged, [](H &h) { h.binCount += 4; } },
    Damage { "binsBeyond", SegmentView::Damaged, [](H &h) { h.domains[1].binCount = 3; } },
    Damage { "binsThatWrap", SegmentView::Damaged,
             [](H &h) { h.domains[1].firstBin = 0xffffffffu; } },
    Damage { "sizesBeyond", SegmentView::Damaged, [](H &h) { h.sizesAt = Huge; } },
    Damage { "sizesNotInOrder", SegmentView::Damaged, [](H &h) { h.sizesAt -= 4; } },
    Damage { "sizesUnaligned", SegmentView::Damaged, [](H &h) { h.sizesAt += 2; } },
    Damage { "countBeyond", SegmentView::Damaged, [](H &h) { h.arenaCountAt = Huge; } },
    Damage { "missingUnaligned", SegmentView::Damaged, [](H &h) { h.arenasMissingAt += 1; } },
    Damage { "memoryBeyond", SegmentView::Damaged, [](H &h) { h.reservedAt = Huge; } },
    Damage { "memoryUnaligned", SegmentView::Damaged, [](H &h) { h.committedAt += 4; } },
    Damage { "decommittedBeyond", SegmentView::Damaged,
             [](H &h) { h.decommittedAt = std::uint32_t(h.segmentBytes); } },
    Damage { "arenasBeyond", SegmentView::Damaged, [](H &h) { h.arenasAt = Huge; } },
    Damage { "arenasUnaligned", SegmentView::Damaged, [](H &h) { h.arenasAt += 4; } },
    Damage { "noStride", SegmentView::Damaged, [](H &h) { h.arenaStride = 0; } },
    Damage { "arenasOverlap", SegmentView::Damaged, [](H &h) { h.arenaStride -= 8; } },
    Damage { "idBeyond", SegmentView::Damaged, [](H &h) { h.idAt = h.arenaStride; } },
    Damage { "threadUnaligned", SegmentView::Damaged, [](H &h) { h.threadAt += 4; } },
    Damage { "adoptionsBeyond", SegmentView::Damaged, [](H &h) { h.adoptionsAt = Huge; } },
    Damage { "orphanedBeyond", SegmentView::Damaged, [](H &h) { h.orphanedAt = h.arenaStride; } },
    Damage { "pagesUnaligned", SegmentView::Damaged, [](H &h) { h.pagesAt += 2; } },
    Damage { "binsOfArenaBeyond", SegmentView::Damaged, [](H &h) { h.binsAt = Huge; } },
    Damage { "binsOfArenaUnaligned", SegmentView::Damaged, [](H &h) { h.binsAt += 4; } },
    Damage { "noBinStride", SegmentView::Damaged, [](H &h) { h.binStride = 0; } },
    Damage { "binStrideThatWraps", SegmentView::Damaged, [](H &h) { h.binStride = 0x80000000u; } },
    Damage { "poppedBeyond", SegmentView::Damaged, [](H &h) { h.poppedAt = h.binStride; } },
    Damage { "poppedShiftedAway", SegmentView::Damaged, [](H &h) { h.poppedShift = 64; } },
    Damage { "loadedBeyond", SegmentView::Damaged, [](H &h) { h.loadedAt = h.binStride; } },
    Damage { "pushedUnaligned", SegmentView::Damaged, [](H &h) { h.pushedAt += 4; } },
    Damage { "takenBeyond", SegmentView::Damaged, [](H &h) { h.takenAt = Huge; } },
    Damage { "heldBeyond", SegmentView::Damaged, [](H &h) { h.heldAt = h.binStride; } }),
    [](const auto &info) { return info.param.name; });

// There are no links to follow; only a count could mislead the reader.
TEST(SegmentViewTest, readsNoMoreArenasThanThereAre)
{
    const SampleSegment sample;
    Words memory = sample.memory();
    char *base = reinterpret_cast<char *>(memory.data());
    for (std::uint32_t count : { 0u, 1u, 2u, 3u, 1000000u, 0xffffffffu }) {
        SampleSegment::put(base + sample.header.arenaCountAt, count, 4);
        const Opened opened = open(memory);
        ASSERT_TRUE(opened.view);
        EXPECT_EQ(opened.view->read().arenas.size(), std::min(count, 2u));
    }
}

// An arena that is being made has no number; one seen twice is no arena.
TEST(SegmentViewTest, skipsUnnumberedAndRepeatedArenas)
{
    const SampleSegment sample;
    Words memory = sample.memory();
    char *ids = reinterpret_cast<char *>(memory.data()) + sample.header.arenasAt
            + sample.header.idAt;
    const Opened opened = open(memory);
    ASSERT_TRUE(opened.view);
    SampleSegment::put(ids + sample.header.arenaStride, 0, 4);
    EXPECT_EQ(opened.view->read().arenas.size(), 1u);
    EXPECT_EQ(opened.view->read().domains[0].classes[0].allocated, SampleSegment::popped(0, 0));
    SampleSegment::put(ids + sample.header.arenaStride, 1, 4);
    EXPECT_EQ(opened.view->read().arenas.size(), 1u);
    SampleSegment::put(ids + sample.header.arenaStride, 0xffffffffu, 4);
    EXPECT_EQ(opened.view->read().arenas.size(), 2u);
}

TEST(SegmentViewTest, staysSaneWithHugeNumbers)
{
    const SampleSegment sample;
    Words memory = sample.memory();
    for (std::size_t at = sample.header.arenasAt / 8; at < memory.size(); ++at)
        memory[at] = ~std::uint64_t(0);
    char *ids = reinterpret_cast<char *>(memory.data()) + sample.header.arenasAt
            + sample.header.idAt;
    SampleSegment::put(ids, 1, 4);
    const Opened opened = open(memory);
    ASSERT_TRUE(opened.view);
    const ProcessStatistics statistics = opened.view->read();
    EXPECT_EQ(statistics.arenas.size(), 2u);
    expectSane(statistics);
}

// Counts that are read at different moments: a difference is never negative.
TEST(SegmentViewTest, differencesAreNeverNegative)
{
    const SampleSegment sample;
    Words memory = sample.memory();
    char *bin = reinterpret_cast<char *>(memory.data()) + sample.header.arenasAt
            + sample.header.binsAt;
    SampleSegment::put(bin + sample.header.loadedAt, SampleSegment::Held - 1, 8);
    SampleSegment::put(bin + sample.header.takenAt, 1000, 8);
    const Opened opened = open(memory);
    ASSERT_TRUE(opened.view);
    const ProcessStatistics statistics = opened.view->read();
    // Everything that was popped in the first arena was freed: 30 by other threads, the rest by its
    // own.
    EXPECT_EQ(statistics.arenas[0].live, SampleSegment::loaded(0, 1) + SampleSegment::loaded(0, 2)
                                                 + SampleSegment::loaded(0, 3)
                                                 - 3 * SampleSegment::Held - 31 - 32 - 33);
    EXPECT_EQ(statistics.arenas[0].backlog, 3u * 10);
}

// From a 32-bit process, whose counters wrap in minutes.
TEST(SegmentViewTest, countsSurviveAWrap)
{
    const SampleSegment sample(4);
    Words memory = sample.memory();
    const ProcessStatistics before = open(memory).view->read();
    char *bin = reinterpret_cast<char *>(memory.data()) + sample.header.arenasAt
            + sample.header.binsAt;
    // 2^32 more were allocated, and freed by others: all counters except live ones are near a wrap.
    SampleSegment::put(bin + sample.header.poppedAt, 5, 4);
    SampleSegment::put(bin + sample.header.pushedAt, 0xFFFFFFFE, 4);
    SampleSegment::put(bin + sample.header.takenAt, 0xFFFFFFF4, 4);
    SampleSegment::put(bin + sample.header.loadedAt, SampleSegment::loaded(0, 0) - 30 - 2, 4);
    const ProcessStatistics after = open(memory).view->read();
    EXPECT_EQ(after.arenas[0].live, before.arenas[0].live);
    EXPECT_EQ(after.arenas[0].backlog, before.arenas[0].backlog);
}

TEST(SegmentViewTest, staysSaneUnderRandomDamage)
{
    RandomSource random(TestScale::seed());
    std::uint64_t readable = 0;
    for (std::uint64_t i = 0; i < TestScale::scaled(20000); ++i) {
        const SampleSegment sample(i % 2 ? 4 : 8);
        Words memory = sample.memory();
        // Few different numbers, so that many inputs pass the first check.
        for (std::size_t n = 1 + random.below(3); n > 0; --n) {
            const std::size_t at = random.below(memory.size() * 2) * 4;
            const std::uint64_t value = random() >> random.below(64);
            SampleSegment::put(reinterpret_cast<char *>(memory.data()) + at, value, 4);
        }
        const Opened opened = open(memory);
        if (opened.view) {
            ++readable;
            expectSane(opened.view->read());
        }
    }
    EXPECT_GT(readable, 0u);
}

// Checked values stay valid, however the segment changes afterwards.
TEST(SegmentViewTest, staysSaneWhenChangedUnderTheReader)
{
    const SampleSegment sample;
    Words memory = sample.memory();
    const Opened opened = open(memory);
    ASSERT_TRUE(opened.view);
    std::atomic<bool> stop { false };
    std::thread scribbler([&] {
        RandomSource random(1);
        while (!stop.load(std::memory_order_relaxed)) {
            // The header too: the view has a copy.
            std::uint64_t *word = &memory[random.below(memory.size())];
            __atomic_store_n(word, random() >> random.below(64), __ATOMIC_RELAXED);
        }
    });
    for (std::uint64_t i = 0; i < TestScale::scaled(20000); ++i) {
        const ProcessStatistics statistics = opened.view->read();
        expectSane(statistics);
        EXPECT_LE(statistics.arenas.size(), 2u);
        EXPECT_EQ(statistics.library, "6.7.8");
    }
    stop = true;
    scribbler.join();
}

} // namespace
