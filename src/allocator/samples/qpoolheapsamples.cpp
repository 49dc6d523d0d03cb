// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolheapsamples.h"
#include "../os/qpoolkepterrno.h"
#include "../os/qpoollock.h"
#include "../os/qpoolprobe.h"
#include "../os/qpooltrace.h"
#include "qpoolsamplemath.h"

QPOOL_BEGIN_NAMESPACE

namespace {

double draw(std::size_t interval) noexcept
{
    HeapSamplesState &state = HeapSamples::state();
    const std::uint64_t place = state.draws.fetch_add(1, std::memory_order_relaxed);
    std::uint64_t seed = state.seed.load(std::memory_order_relaxed);
    if (QPOOL_UNLIKELY(seed == 0)) {
        const std::uint64_t chosen = Os::randomNumber() | 1;
        if (state.seed.compare_exchange_strong(seed, chosen, std::memory_order_relaxed))
            seed = chosen;
    }
    return SampleMath::exponential(SampleMath::randomAt(seed, place), double(interval));
}

} // namespace

void HeapSamples::setSeed(std::uint64_t seed) noexcept
{
    state().draws.store(0, std::memory_order_relaxed);
    state().seed.store(seed | 1, std::memory_order_relaxed);
}

std::uint32_t HeapSamples::blocksUntilSample(std::size_t size, std::size_t interval) noexcept
{
    constexpr double most = 1 << 30;
    const double blocks = draw(interval) / double(size);
    return std::uint32_t(blocks < most ? blocks : most);
}

bool HeapSamples::isDue(std::size_t size, std::size_t interval) noexcept
{
    return draw(interval) < double(size);
}

std::uint32_t HeapSamples::begin(std::size_t size, std::size_t interval) noexcept
{
    // Walking the stack, and making the records, may change it.
    const Os::KeptErrno kept;
    void *callers[StackRecord::MostFrames];
    std::uintptr_t frames[StackRecord::MostFrames];
    const std::uint32_t depth = Os::callers(callers, StackRecord::MostFrames);
    for (std::uint32_t i = 0; i < depth; ++i)
        frames[i] = reinterpret_cast<std::uintptr_t>(callers[i]);
    const double bytes = SampleMath::weight(double(size), double(interval));

    HeapSamplesState &state = HeapSamples::state();
    Locker locker(state.lock);
    ++state.taken;
    SampleRecords *all = records();
    const std::uint32_t mark = all ? takeSample(*all) : 0;
    if (mark == 0) {
        state.missed.fetch_add(1, std::memory_order_relaxed);
        return 0;
    }
    SampleRecord &sample = all->samples[mark];
    sample.size = size;
    sample.bytes = std::uint64_t(bytes + 0.5);
    sample.stack = stackOf(*all, frames, depth);
    StackRecord &stack = all->stacks[sample.stack];
    stack.usedAt = state.taken;
    stack.allocated.add(sample.objects(), sample.bytes);
    stack.inUse.add(sample.objects(), sample.bytes);
    return mark;
}

void HeapSamples::setAddress(std::uint32_t mark, const void *block) noexcept
{
    SampleRecords *all = state().records.load(std::memory_order_relaxed);
    SampleRecord &sample = all->samples[mark];
    sample.address.store(reinterpret_cast<std::uintptr_t>(block), std::memory_order_release);
    QPOOL_PROBE(sample_alloc, reinterpret_cast<std::uintptr_t>(block), sample.size, sample.bytes);
}

void HeapSamples::end(std::uint32_t mark) noexcept
{
    HeapSamplesState &state = HeapSamples::state();
    SampleRecords *all = state.records.load(std::memory_order_relaxed);
    SampleRecord &sample = all->samples[mark];
    // None yet: there was no memory for the block.
    if (const std::uintptr_t address = sample.address.load(std::memory_order_relaxed))
        QPOOL_PROBE(sample_free, address, sample.size, sample.bytes);
    sample.address.store(0, std::memory_order_relaxed);
    all->stacks[sample.stack].inUse.remove(sample.objects(), sample.bytes);
    std::uint32_t head = state.freeSamples.load(std::memory_order_relaxed);
    do {
        sample.next = head;
    } while (!state.freeSamples.compare_exchange_weak(head, mark, std::memory_order_release,
                                                      std::memory_order_relaxed));
}

void HeapSamples::surviveFork() noexcept
{
    {
        Locker locker(state().lock);
        if (state().survivesFork)
            return;
        state().survivesFork = true;
    }
    Os::aroundFork([] { state().lock.lockToFork(); }, [] { state().lock.unlockAfterFork(); });
}

// In the functions from here on the caller holds the lock.

SampleRecords *HeapSamples::records() noexcept
{
    HeapSamplesState &state = HeapSamples::state();
    SampleRecords *all = state.records.load(std::memory_order_relaxed);
    if (all || state.taken < state.retryAt)
        return all;
    void *place = Os::reserve(sizeof(SampleRecords), Os::pageBytes());
    if (place && Os::commit(place, sizeof(SampleRecords))) {
        all = static_cast<SampleRecords *>(place); // all zero
        state.records.store(all, std::memory_order_release);
    }
    if (!all)
        state.retryAt = 2 * state.taken;
    return all;
}

std::uint32_t HeapSamples::takeSample(SampleRecords &records) noexcept
{
    HeapSamplesState &state = HeapSamples::state();
    std::uint32_t head = state.freeSamples.load(std::memory_order_acquire);
    while (head != 0) {
        if (state.freeSamples.compare_exchange_weak(head, records.samples[head].next, std::memory_order_acquire))
            return head;
    }
    return state.freshSample < SampleRecords::SampleCount ? state.freshSample++ : 0;
}

// The number of the stack's record; 0 if there is no room for one.
std::uint32_t HeapSamples::stackOf(SampleRecords &records, const std::uintptr_t *frames, std::uint32_t depth) noexcept
{
    if (depth == 0)
        return 0;
    constexpr std::uint32_t mask = SampleRecords::IndexSize - 1;
    const std::uint64_t hash = StackRecord::hashOf(frames, depth);
    const auto find = [&] {
        std::uint32_t place = std::uint32_t(hash >> 32) & mask;
        while (const std::uint32_t stack = records.index[place]) {
            if (records.stacks[stack].hash.load(std::memory_order_relaxed) == hash)
                break;
            place = (place + 1) & mask;
        }
        return place;
    };
    std::uint32_t place = find();
    if (records.index[place] != 0)
        return records.index[place];
    std::uint32_t stack = takeStack(records);
    if (stack == 0) {
        fold(records);
        stack = takeStack(records);
        place = find();
    }
    if (stack == 0)
        return 0;
    StackRecord &record = records.stacks[stack];
    record.depth = depth;
    for (std::uint32_t i = 0; i < depth; ++i)
        record.frames[i] = frames[i];
    record.hash.store(hash, std::memory_order_release);
    records.index[place] = stack;
    return stack;
}

std::uint32_t HeapSamples::takeStack(SampleRecords &records) noexcept
{
    HeapSamplesState &state = HeapSamples::state();
    if (const std::uint32_t stack = state.freeStacks) {
        state.freeStacks = records.stacks[stack].next;
        return stack;
    }
    return state.freshStack < SampleRecords::StackCount ? state.freshStack++ : 0;
}

// Of the stacks without samples in use, gives up those that were not seen for longest, about half: what was allocated
// there counts as that of stacks without a record. Their blocks were all freed: the records' fields are not accessed
// by anyone else, see SampleSum::remove().
void HeapSamples::fold(SampleRecords &records) noexcept
{
    HeapSamplesState &state = HeapSamples::state();
    const std::uint64_t now = state.taken;
    if (now < state.foldAt)
        return;
    state.foldAt = now + SampleRecords::StackCount / 16;
    const auto age = [&](const StackRecord &record) { return now - record.usedAt; };
    const auto isUnused = [](const StackRecord &record) {
        return record.hash.load(std::memory_order_relaxed) != 0
                && record.inUse.samples.load(std::memory_order_acquire) == 0;
    };
    std::uint64_t oldest = 0;
    for (std::uint32_t i = 1; i < state.freshStack; ++i) {
        const StackRecord &record = records.stacks[i];
        if (isUnused(record) && age(record) > oldest)
            oldest = age(record);
    }
    for (std::uint32_t &entry : records.index)
        entry = 0;
    for (std::uint32_t i = 1; i < state.freshStack; ++i) {
        StackRecord &record = records.stacks[i];
        const std::uint64_t hash = record.hash.load(std::memory_order_relaxed);
        if (hash == 0)
            continue;
        if (isUnused(record) && age(record) >= oldest / 2) {
            record.hash.store(0, std::memory_order_release);
            records.stacks[0].allocated.addAll(record.allocated);
            record.allocated.clear();
            record.next = state.freeStacks;
            state.freeStacks = i;
            state.folded.fetch_add(1, std::memory_order_relaxed);
            continue;
        }
        constexpr std::uint32_t mask = SampleRecords::IndexSize - 1;
        std::uint32_t place = std::uint32_t(hash >> 32) & mask;
        while (records.index[place] != 0)
            place = (place + 1) & mask;
        records.index[place] = i;
    }
}

template struct OnePerProcess<HeapSamplesState>;

QPOOL_END_NAMESPACE
