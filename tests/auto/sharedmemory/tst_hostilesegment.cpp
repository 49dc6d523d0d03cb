// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Overwritten records: each word of them, with invalid values. The segment is refused, or the walk
// stops, or it is usable; nothing outside of it is accessed.

#include "hostilesegment.h"
#include "randomsource.h"
#include "testscale.h"
#include "testsegment.h"

using namespace QPool;

namespace {

class HostileSegmentTest : public ::testing::TestWithParam<SharedLockKind>
{
};

TEST_P(HostileSegmentTest, untouchedSegmentIsSound)
{
    HostileSegment segment(GetParam());
    segment.examine();
    EXPECT_EQ(segment.sound, 1u);
}

TEST_P(HostileSegmentTest, survivesDamageToEachWord)
{
    constexpr std::uint32_t values[] = { 0, 1, 63, 64, 0xFFFFFFFF, 0x7FFFFFFF, SharedPage::Run,
                                         SharedPage::Run | 1, SharedPage::Run | 60, SharedPage::Slab,
                                         SharedPage::Slab | 5, SharedPage::Slab | 64,
                                         SharedPage::Slab | 70 };
    HostileSegment segment(GetParam());
    const std::size_t stride = 4 * (TestScale::divisor() > 1 ? 5 : 1);
    for (std::size_t offset = 0; offset < segment.metadataBytes(); offset += stride) {
        for (const std::uint32_t value : values) {
            segment.reset();
            std::memcpy(segment.metadata() + offset, &value, sizeof value);
            segment.examine();
        }
    }
    EXPECT_GT(segment.validated, 0u);
}

TEST_P(HostileSegmentTest, survivesDamageToSeveralWords)
{
    RandomSource random(TestScale::seed());
    HostileSegment segment(GetParam());
    const std::uint64_t rounds = TestScale::scaled(20000);
    // Without the data that never changes while the segment exists, or few cases would be tested.
    constexpr std::size_t begin = offsetof(SharedHeader, intent);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        segment.reset();
        for (std::size_t i = 1 + random.below(6); i > 0; --i) {
            const std::size_t offset = begin + random.below((segment.metadataBytes() - begin) / 4) * 4;
            const std::uint64_t word = random() >> random.below(64);
            const auto value = std::uint32_t(random.below(2) ? word : word << 30);
            std::memcpy(segment.metadata() + offset, &value, sizeof value);
        }
        segment.examine();
    }
    EXPECT_GT(segment.validated, 0u);
}

INSTANTIATE_TEST_SUITE_P(, HostileSegmentTest, testing::ValuesIn(allLocks()),
                         [](const auto &info) { return nameOf(info.param); });

} // namespace
