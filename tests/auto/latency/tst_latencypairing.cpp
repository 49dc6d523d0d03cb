// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "qlatencypairing_p.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

using QPool::LatencyOutcome;
using QPool::LatencyPairing;
using QPool::LatencyRecord;

namespace {

LatencyRecord posted(std::uint64_t event, std::uint64_t time, std::uint8_t queue = 0)
{
    return { event, time, 0, 0, 1000, LatencyRecord::Posted, queue };
}

LatencyRecord ended(std::uint64_t event, std::uint64_t time,
                    LatencyRecord::Kind kind = LatencyRecord::Delivered)
{
    return { event, time, time, 0, 1000, kind, 0 };
}

// The result of an endPass(): "post-end" for each event, by their times, and "?" for unknown ones.
std::string pass(LatencyPairing &pairing)
{
    std::string told;
    pairing.endPass([&](const LatencyOutcome &outcome) {
        if (!told.empty())
            told += ' ';
        told += (outcome.hasPost ? std::to_string(outcome.post.time) : "?") + '-'
                + (outcome.hasEnd ? std::to_string(outcome.end.time) : "?");
    });
    return told;
}

} // namespace

TEST(LatencyPairing, settlesAPairInTheNextPass)
{
    LatencyPairing pairing;
    pairing.add(posted(1, 10), 0);
    pairing.add(ended(1, 20), 1);
    EXPECT_EQ(pass(pairing), "");
    EXPECT_EQ(pass(pairing), "10-20");
    EXPECT_EQ(pass(pairing), "");
    EXPECT_EQ(pairing.unfinished(), 0u);
}

TEST(LatencyPairing, reportsTheThreadsOfPostAndEnd)
{
    LatencyPairing pairing;
    pairing.add(posted(1, 10), 3);
    pairing.add(ended(1, 20), 5);
    pass(pairing);
    int calls = 0;
    pairing.endPass([&](const LatencyOutcome &outcome) {
        ++calls;
        EXPECT_EQ(outcome.postThread, 3u);
        EXPECT_EQ(outcome.endThread, 5u);
    });
    EXPECT_EQ(calls, 1);
}

// The reader had passed the ring with the post before it found the end in another.
TEST(LatencyPairing, pairsAnEndSeenBeforeItsPost)
{
    LatencyPairing pairing;
    pairing.add(ended(1, 20), 1);
    EXPECT_EQ(pass(pairing), "");
    pairing.add(posted(1, 10), 0);
    EXPECT_EQ(pass(pairing), "10-20");
    EXPECT_EQ(pass(pairing), "");
    EXPECT_EQ(pairing.unfinished(), 0u);
}

// The same, and the address is another event's meanwhile: the post of that is later, and waits.
TEST(LatencyPairing, pairsEachUseOfAReusedAddress)
{
    LatencyPairing pairing;
    pairing.add(posted(1, 10), 0);
    pairing.add(posted(1, 30), 2);
    pass(pairing);
    pairing.add(ended(1, 20), 1);
    pairing.add(ended(1, 40), 1);
    EXPECT_EQ(pass(pairing), "10-20");
    EXPECT_EQ(pass(pairing), "30-40");
    EXPECT_EQ(pairing.unfinished(), 0u);
}

TEST(LatencyPairing, pairsManyUsesOfAnAddressInOnePass)
{
    LatencyPairing pairing;
    // Ring by ring, as they are read.
    for (const std::uint64_t time : { 50, 30, 10 })
        pairing.add(posted(1, time), unsigned(time));
    for (const std::uint64_t time : { 20, 40, 60 })
        pairing.add(ended(1, time), 1);
    pass(pairing);
    EXPECT_EQ(pass(pairing), "10-20 30-40 50-60");
}

TEST(LatencyPairing, waitsForUndeliveredEvents)
{
    LatencyPairing pairing;
    pairing.add(posted(1, 10), 0);
    pairing.add(posted(2, 11), 0);
    pass(pairing);
    pass(pairing);
    EXPECT_EQ(pairing.unfinished(), 2u);
    pairing.add(ended(2, 5000, LatencyRecord::Removed), 0);
    pass(pairing);
    EXPECT_EQ(pass(pairing), "11-5000");
    EXPECT_EQ(pairing.unfinished(), 1u);
}

TEST(LatencyPairing, countsWhatIsUnfinishedInEachQueue)
{
    LatencyPairing pairing;
    pairing.add(posted(1, 10, 1), 0);
    pairing.add(posted(2, 11, 2), 0);
    pairing.add(posted(3, 12, 2), 0);
    pairing.add(posted(4, 13), 0);
    pass(pairing);
    pass(pairing);
    EXPECT_EQ(pairing.unfinishedOf(0), 1u);
    EXPECT_EQ(pairing.unfinishedOf(1), 1u);
    EXPECT_EQ(pairing.unfinishedOf(2), 2u);
    pairing.add(ended(2, 20), 1);
    // The record of the end of 1 was dropped, and its address is that of an event for another thread.
    pairing.add(posted(1, 30, 3), 0);
    pass(pairing);
    pass(pairing);
    EXPECT_EQ(pairing.unfinishedOf(1), 0u);
    EXPECT_EQ(pairing.unfinishedOf(2), 1u);
    EXPECT_EQ(pairing.unfinishedOf(3), 1u);
    EXPECT_EQ(pairing.unfinished(), 3u);
}

TEST(LatencyPairing, reportsAnEndWhosePostWasDropped)
{
    LatencyPairing pairing;
    pairing.add(ended(1, 20), 1);
    pass(pairing);
    EXPECT_EQ(pass(pairing), "?-20");
}

TEST(LatencyPairing, reportsAPostWhoseEndWasDropped)
{
    LatencyPairing pairing;
    pairing.add(posted(1, 10), 0);
    pairing.add(posted(1, 30), 0);
    pairing.add(ended(1, 40), 0);
    pass(pairing);
    EXPECT_EQ(pass(pairing), "10-? 30-40");
}

// An event that is compressed is gone when that is recorded: its address may be another's.
TEST(LatencyPairing, aCompressedEventEndsItsOwnPost)
{
    LatencyPairing pairing;
    pairing.add(posted(1, 10), 0);
    pairing.add(ended(1, 10, LatencyRecord::Compressed), 0);
    pairing.add(posted(1, 11), 1);
    pairing.add(ended(1, 20), 1);
    pass(pairing);
    EXPECT_EQ(pass(pairing), "10-10 11-20");
}

TEST(LatencyPairing, aCompressedEventEndsNoOtherPost)
{
    LatencyPairing pairing;
    pairing.add(posted(1, 9), 1);
    pairing.add(ended(1, 10, LatencyRecord::Compressed), 0);
    pairing.add(ended(1, 20), 1);
    pass(pairing);
    EXPECT_EQ(pass(pairing), "?-10 9-20");
}

// Threads post and deliver at random, and use addresses again; a reader that empties one ring after
// the other while they go on finds each post's own end.
TEST(LatencyPairing, pairsRandomPostsWithTheirOwnEnds)
{
    for (unsigned seed = 1; seed <= 50; ++seed) {
        std::mt19937 random(seed);
        const auto upTo = [&](unsigned most) { return random() % most; };
        constexpr unsigned Rings = 4, Addresses = 6;
        std::deque<LatencyRecord> rings[Rings];
        std::uint64_t isPosted[Addresses] = {};
        std::uint64_t time = 1;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> expected, found;
        LatencyPairing pairing;
        const auto work = [&] {
            const unsigned address = upTo(Addresses);
            const unsigned ring = upTo(Rings);
            if (isPosted[address]) {
                expected.emplace_back(isPosted[address], time);
                rings[ring].push_back(ended(address, time));
                isPosted[address] = 0;
            } else {
                rings[ring].push_back(posted(address, time));
                isPosted[address] = time;
            }
            ++time;
        };
        const auto tell = [&](const LatencyOutcome &outcome) {
            EXPECT_TRUE(outcome.hasPost && outcome.hasEnd);
            found.emplace_back(outcome.post.time, outcome.end.time);
        };
        const auto readOnce = [&](unsigned busy) {
            for (unsigned ring = 0; ring < Rings; ++ring) {
                for (unsigned i = upTo(busy + 1); i > 0; --i)
                    work();
                for (; !rings[ring].empty(); rings[ring].pop_front())
                    pairing.add(rings[ring].front(), ring);
            }
            pairing.endPass(tell);
        };
        for (int i = 0; i < 200; ++i)
            readOnce(8);
        readOnce(0);
        readOnce(0);
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected) << "seed " << seed;
    }
}
