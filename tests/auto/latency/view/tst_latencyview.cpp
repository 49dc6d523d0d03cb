// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Reading segments of event latency that are sound, damaged, of another version, or written meanwhile.

#include "qlatencysegment_p.h"
#include "qpoollatencyview.h"

#include "randomsource.h"
#include "segmenttest.h"
#include "testscale.h"

#include <thread>

using namespace QPool;

namespace {

constexpr std::uint64_t Pid = 4711;
constexpr std::uint64_t Since = 1700000000000;

class LatencyViewTest : public SegmentTest<LatencyView, QPoolLatencySegmentHeader>
{
protected:
    LatencyViewTest()
        : SegmentTest(QPoolLatencySegmentWriter::SegmentBytes / sizeof(std::uint64_t))
    {
        writer.begin(memory(), Pid, Since);
    }

    using SegmentTest::open;

    LatencyView open()
    {
        SegmentView::Error error = SegmentView::Damaged;
        std::string message;
        auto view = open(&error, &message);
        EXPECT_TRUE(view) << message;
        EXPECT_EQ(error, SegmentView::NoError);
        return *view;
    }

    QPoolLatencySegmentWriter writer;
};

TEST_F(LatencyViewTest, isEmptyBeforeTheFirstText)
{
    const LatencyView view = open();
    EXPECT_EQ(view.pid(), Pid);
    EXPECT_EQ(view.since(), Since);
    const auto text = view.read();
    ASSERT_TRUE(text);
    EXPECT_EQ(text->number, 0u);
    EXPECT_EQ(text->json, "");
}

TEST_F(LatencyViewTest, readsTheLastPublishedText)
{
    const LatencyView view = open();
    for (std::size_t bytes : { 1u, 2u, 3u, 4u, 4095u, 4096u, 4097u, 20001u, 5u, 0u }) {
        const std::string text(bytes, char('a' + bytes % 26));
        writer.publish(text);
        const auto read = view.read();
        ASSERT_TRUE(read);
        EXPECT_EQ(read->json, text);
        EXPECT_EQ(read->number, view.number());
    }
    EXPECT_EQ(view.number(), 10u);
    const std::string largest(QPoolLatencySegmentWriter::LargestText, 'z');
    writer.publish(largest);
    EXPECT_TRUE(view.read()->json == largest);
}

// Of the memory only what its texts need may be touched.
TEST_F(LatencyViewTest, textsTouchOnlyTheMemoryTheyNeed)
{
    for (std::size_t bytes : { 0u, 1u, 4096u, 4097u, 100000u }) {
        words.assign(words.size(), 0);
        writer.begin(memory(), Pid, Since);
        writer.publish(std::string(bytes, 'x'));
        writer.publish(std::string(bytes, 'x'));
        std::size_t last = words.size();
        while (last > 0 && words[last - 1] == 0)
            --last;
        EXPECT_LE(last * sizeof(words[0]), QPoolLatencySegmentWriter::bytesInUse(bytes));
    }
    EXPECT_EQ(QPoolLatencySegmentWriter::bytesInUse(QPoolLatencySegmentWriter::LargestText),
              QPoolLatencySegmentWriter::SegmentBytes);
}

// A reader gets a whole text or none, never parts of two.
TEST_F(LatencyViewTest, readsWholeTextsWhileTheyAreWritten)
{
    const std::uint64_t rounds = TestScale::scaled(3000);
    const LatencyView view = open();
    std::atomic<bool> isOver { false };
    std::thread publisher([&] {
        for (std::uint64_t i = 0; i < rounds; ++i)
            writer.publish(std::string(1 + i * 37 % 9000, char('a' + i % 26)));
        isOver = true;
    });
    std::uint64_t seen = 0;
    std::uint32_t number = 0;
    for (bool last = false; !last;) {
        last = isOver;
        if (const auto text = view.read()) {
            EXPECT_GE(text->number, number);
            number = text->number;
            if (number == 0)
                continue;
            ++seen;
            const std::uint64_t i = number - 1;
            EXPECT_TRUE(text->json == std::string(1 + i * 37 % 9000, char('a' + i % 26)));
        }
    }
    publisher.join();
    EXPECT_GT(seen, 0u);
    EXPECT_EQ(number, rounds);
}

TEST_F(LatencyViewTest, refusesImpossibleHeaders)
{
    writer.publish("{}");
    expectHeaderRefusals("1", "event latency");
    const auto with = changing();
    with(offsetof(QPoolLatencySegmentHeader, numberAt), 1u << 30);
    expectRefusal(SegmentView::Damaged, "counts lie outside");
    with(offsetof(QPoolLatencySegmentHeader, halvesAt), 3);
    expectRefusal(SegmentView::Damaged, "counts lie outside");
    with(offsetof(QPoolLatencySegmentHeader, blocksAt), 1u << 30);
    expectRefusal(SegmentView::Damaged, "texts lie outside");
    with(offsetof(QPoolLatencySegmentHeader, blockCount), 1025);
    expectRefusal(SegmentView::Damaged, "texts lie outside");
    with(offsetof(QPoolLatencySegmentHeader, blockBytes), 6);
    expectRefusal(SegmentView::Damaged, "no possible size");
    with(offsetof(QPoolLatencySegmentHeader, blockCount), 0xffffffff);
    expectRefusal(SegmentView::Damaged, "no possible size");
}

// A segment that says that its text is always being written, or too long, yields none.
TEST_F(LatencyViewTest, yieldsNoUnfinishedOrOversizedText)
{
    writer.publish("first");
    const QPoolLatencySegmentHeader header = *reinterpret_cast<QPoolLatencySegmentHeader *>(memory());
    const std::size_t half = header.halvesAt + sizeof(QPoolLatencySegmentHalf);
    const auto sound = words;
    const LatencyView view = open();
    set(half + offsetof(QPoolLatencySegmentHalf, begun), std::uint32_t(3));
    EXPECT_FALSE(view.read());
    std::copy(sound.begin(), sound.end(), words.begin());
    set(half + offsetof(QPoolLatencySegmentHalf, done), std::uint32_t(3));
    EXPECT_FALSE(view.read());
    std::copy(sound.begin(), sound.end(), words.begin());
    set(half + offsetof(QPoolLatencySegmentHalf, bytes), ~std::uint32_t(0));
    EXPECT_FALSE(view.read());
    std::copy(sound.begin(), sound.end(), words.begin());
    EXPECT_EQ(view.read()->json, "first");
}

// Wherever it is damaged, a reader stays within it. What is read beyond its end is for AddressSanitizer and
// Memcheck to see.
TEST_F(LatencyViewTest, staysInsideADamagedSegment)
{
    writer.publish(std::string(9000, 'a'));
    writer.publish(std::string(5000, 'b'));
    // As many bytes as are in use, so that the end is near.
    words.resize(QPoolLatencySegmentWriter::bytesInUse(9000) / sizeof(words[0]));
    set(offsetof(QPoolLatencySegmentHeader, segmentBytes), std::uint64_t(words.size() * sizeof(words[0])));
    set(offsetof(QPoolLatencySegmentHeader, blockCount), std::uint32_t(3));
    const auto sound = words;
    RandomSource random(TestScale::seed());
    std::uint64_t read = 0;
    for (std::uint64_t i = 0; i < TestScale::scaled(20000); ++i) {
        words = sound;
        for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
            const std::size_t at = random.below(random.below(2) ? 9 : 30);
            if (random.below(2))
                words[at] = random();
            else
                words[at] ^= std::uint64_t(1) << random.below(64);
        }
        SegmentView::Error error = SegmentView::NoError;
        std::string message;
        const auto view = open(&error, &message);
        if (!view) {
            ASSERT_FALSE(message.empty());
            ASSERT_NE(error, SegmentView::NoError);
        } else if (const auto text = view->read()) {
            ++read;
            ASSERT_LE(text->json.size(), words.size() * sizeof(words[0]));
        }
    }
    EXPECT_GT(read, 0u);
}

} // namespace
