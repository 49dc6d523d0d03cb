// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The records are bounded: what happens when they are full.

#include "sampledpool.h"

#include <vector>

using QPool::HeapSamples;
using QPool::SampleRecords;
using QPool::StackRecord;

namespace {

__attribute__((noinline)) void *byPath(unsigned path, unsigned depth);

__attribute__((noinline)) void *left(unsigned path, unsigned depth)
{
    void *block = byPath(path, depth);
    asm volatile("" : : "r"(block) : "memory");
    return block;
}
__attribute__((noinline)) void *right(unsigned path, unsigned depth)
{
    void *block = byPath(path, depth);
    asm volatile("nop" : : "r"(block) : "memory");
    return block;
}

// A stack of its own for each path.
__attribute__((noinline)) void *byPath(unsigned path, unsigned depth)
{
    if (depth == 0)
        return allocate(48);
    void *block = path & 1 ? left(path >> 1, depth - 1) : right(path >> 1, depth - 1);
    asm volatile("" : : "r"(block) : "memory");
    return block;
}

constexpr unsigned PathBits = 15; // 32 K stacks

std::uint64_t takenSamples()
{
    return HeapSamples::state().taken;
}

} // namespace

class SampleStacks : public SampledTest
{
protected:
    void SetUp() override
    {
        SampledTest::SetUp();
        HeapSamples::setInterval(1);
    }
};

TEST_F(SampleStacks, haveAtMostSoManyFrames)
{
    deallocate(byPath(0, 200));
    const auto &state = HeapSamples::state();
    const StackRecord &record = state.records.load()->stacks[state.freshStack - 1];
    EXPECT_EQ(record.depth, StackRecord::MostFrames);
    EXPECT_EQ(record.hash.load(), StackRecord::hashOf(record.frames, record.depth));
}

TEST_F(SampleStacks, areRecordedOnce)
{
    const auto stacks = [] { return HeapSamples::state().freshStack; };
    for (int i = 0; i < 3; ++i) {
        const auto before = stacks();
        for (int k = 0; k < 1000; ++k)
            deallocate(byPath(5, 4));
        if (i > 0) {
            EXPECT_EQ(stacks(), before);
        }
    }
}

// Those without samples in use, the oldest first; nothing is lost of what was allocated.
TEST_F(SampleStacks, areFoldedWhenThereAreTooMany)
{
    const auto &state = HeapSamples::state();
    std::vector<void *> kept;
    for (unsigned path = 0; path < 100; ++path)
        kept.push_back(byPath(path, PathBits));
    for (unsigned path = 0; path < 1u << PathBits; ++path)
        deallocate(byPath(path, PathBits));
    EXPECT_GT(state.folded.load(), 0u);
    EXPECT_EQ(state.missed.load(), 0u);
    EXPECT_EQ(allocated().samples, takenSamples());
    EXPECT_EQ(inUse().samples, kept.size());
    const SampleRecords &records = *state.records.load();
    EXPECT_EQ(records.stacks[0].inUse.samples.load(), 0u);
    EXPECT_GT(records.stacks[0].allocated.samples.load(), 0u);
    for (std::uint32_t i = 1; i < state.freshStack; ++i) {
        const StackRecord &record = records.stacks[i];
        if (record.hash != 0) {
            EXPECT_EQ(record.hash.load(), StackRecord::hashOf(record.frames, record.depth));
        }
    }
    for (void *block : kept)
        deallocate(block);
    EXPECT_EQ(inUse().samples, 0u);
}

// If all are in use, blocks are sampled nevertheless, without a stack of their own.
TEST_F(SampleStacks, shareOneRecordIfAllOthersAreInUse)
{
    std::vector<void *> kept;
    for (unsigned path = 0; path < 1u << PathBits; ++path)
        kept.push_back(byPath(path, PathBits));
    EXPECT_GT(HeapSamples::state().records.load()->stacks[0].inUse.samples.load(), 0u);
    EXPECT_EQ(inUse().samples, kept.size());
    for (void *block : kept)
        deallocate(block);
    EXPECT_EQ(inUse().samples, 0u);
    EXPECT_EQ(inUse().bytes, 0);
}

TEST_F(SampleStacks, areLeftOutWhenThereAreTooManySamples)
{
    const auto &state = HeapSamples::state();
    const auto missed = state.missed.load();
    std::vector<void *> kept;
    for (std::uint32_t i = 0; i < SampleRecords::SampleCount + 1000; ++i)
        kept.push_back(allocate(64));
    EXPECT_GT(state.missed.load(), missed);
    EXPECT_EQ(inUse().samples, SampleRecords::SampleCount - 1);
    EXPECT_FALSE(isSampled(kept.back()));
    for (void *block : kept)
        deallocate(block);
    EXPECT_EQ(inUse().samples, 0u);
    void *block = allocate(64);
    EXPECT_TRUE(isSampled(block));
    deallocate(block);
}
