// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSAMPLERECORDS_H
#define QPOOLSAMPLERECORDS_H

#include "../qpoolglobal.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

// What samples stand for. Objects are counted in parts of 256, because one sample stands for a number of them
// that is not whole.
struct SampleSum
{
    static constexpr std::uint64_t ObjectParts = 256;

    std::atomic<std::uint64_t> samples { 0 };
    std::atomic<std::uint64_t> objects { 0 };
    std::atomic<std::uint64_t> bytes { 0 };

    void add(std::uint64_t moreObjects, std::uint64_t moreBytes) noexcept
    {
        objects.fetch_add(moreObjects, std::memory_order_relaxed);
        bytes.fetch_add(moreBytes, std::memory_order_relaxed);
        samples.fetch_add(1, std::memory_order_relaxed);
    }
    // The number of samples last: once it is zero, nobody changes the others.
    void remove(std::uint64_t fewerObjects, std::uint64_t fewerBytes) noexcept
    {
        objects.fetch_sub(fewerObjects, std::memory_order_relaxed);
        bytes.fetch_sub(fewerBytes, std::memory_order_relaxed);
        samples.fetch_sub(1, std::memory_order_release);
    }
    void addAll(const SampleSum &other) noexcept
    {
        samples.fetch_add(other.samples.load(std::memory_order_relaxed), std::memory_order_relaxed);
        objects.fetch_add(other.objects.load(std::memory_order_relaxed), std::memory_order_relaxed);
        bytes.fetch_add(other.bytes.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    void clear() noexcept
    {
        samples.store(0, std::memory_order_relaxed);
        objects.store(0, std::memory_order_relaxed);
        bytes.store(0, std::memory_order_relaxed);
    }
};

// A call stack and the samples taken there. The first record is for all stacks that have none of their own.
struct alignas(CacheLineSize) StackRecord
{
    static constexpr unsigned MostFrames = 64;

    // 0: not in use. Other processes read the record while it changes; it is right if this is the hash of the
    // frames.
    std::atomic<std::uint64_t> hash { 0 };
    std::uint32_t depth = 0;
    std::uint32_t next = 0; // not in use: another one that is not, or 0
    std::uint64_t usedAt = 0; // the number of the last sample
    SampleSum allocated; // since sampling began
    SampleSum inUse;
    std::uintptr_t frames[MostFrames] = {}; // return addresses, the innermost first

    static std::uint64_t hashOf(const std::uintptr_t *frames, std::uint32_t depth) noexcept
    {
        std::uint64_t hash = 0x9ae16a3b2f90404fu + depth;
        for (std::uint32_t i = 0; i < depth; ++i) {
            hash = (hash ^ frames[i]) * 0x9fb21c651e98df25u;
            hash ^= hash >> 32;
        }
        return hash | 1;
    }
};

// A sampled block that is in use.
struct SampleRecord
{
    std::atomic<std::uintptr_t> address { 0 }; // 0: not in use, or not known yet
    std::uint64_t size = 0;
    std::uint64_t bytes = 0; // what it stands for
    std::uint32_t stack = 0; // the number of its record
    std::uint32_t next = 0; // not in use: another one that is not, or 0

    // How many it stands for, in parts.
    std::uint64_t objects() const noexcept { return (bytes * SampleSum::ObjectParts + size / 2) / size; }
};

// One mapping with all records, zero-filled at first. Its size is the bound of what samples take besides the sampled
// blocks: the records of 64 K samples suffice for 32 GiB in use, at the default interval.
struct SampleRecords
{
    static constexpr std::uint32_t StackCount = 16 * 1024;
    static constexpr std::uint32_t SampleCount = 64 * 1024;
    static constexpr std::uint32_t IndexSize = 2 * StackCount; // a power of two

    StackRecord stacks[StackCount];
    SampleRecord samples[SampleCount]; // the first is not used
    std::uint32_t index[IndexSize]; // by hash: the number of a stack's record, or 0
};
static_assert(sizeof(SampleRecords) <= 16 * 1024 * 1024, "the bound that doc/heap.md names");

QPOOL_END_NAMESPACE

#endif // QPOOLSAMPLERECORDS_H
