// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The effect of a long run on a small heap: a million allocations and frees of events, in random
// order, in 64 KiB; compares the C library's malloc() with the pool. Counts how many allocations
// were refused, what could still be allocated at the end, and the instructions of an allocation
// with its free.

#include "board.h"
#include "heaps.h"
#include "random.h"

namespace {

constexpr std::uint32_t Operations = 1000000;
constexpr std::uint32_t MostSlots = 2400;
constexpr std::uint32_t LargestEvent = 128;

struct Heap
{
    const char *name;
    void *(*allocate)(std::size_t);
    void (*deallocate)(void *);
};

// Blocks of any of the sizes at any time: after a while half of the slots have one.
struct Load
{
    const char *name;
    std::uint32_t slots;
    std::uint32_t phases; // in which small and large sizes alternate
};

// A program that knows the largest number of events of each size. Their pages fit into the pool's:
// 4 + 8 + 10 + 10 + 10 + 9 + 8 of 1024 bytes. In turns, some sizes have their largest number of
// events and the others have few.
struct Kind
{
    std::uint8_t size;
    std::uint16_t most;
};
constexpr Kind Kinds[] = { { 16, 256 }, { 24, 336 }, { 32, 320 }, { 48, 210 },
                           { 64, 160 }, { 96, 90 }, { 128, 64 } };
constexpr std::uint32_t KindCount = sizeof(Kinds) / sizeof(*Kinds);
constexpr std::uint32_t Turns = 50;

struct Result
{
    std::uint32_t pairs = 0;
    std::uint32_t refused = 0;
    std::uint32_t ticks = 0;
    std::uint32_t largest = 0; // block that could still be allocated
    std::uint32_t events = 0; // of the largest size that could still be allocated
    bool isIntact = true;
};

constexpr std::uint8_t Sizes[16] = { 16, 16, 20, 24, 24, 32, 32, 36, 40, 48, 56, 64, 72, 88, 112, 128 };

std::uint8_t *s_slots[MostSlots];
std::uint8_t s_sizes[MostSlots];

std::uint32_t sizeOf(std::uint32_t random, const Load &load, std::uint32_t operation)
{
    const std::uint32_t index = random % 16;
    if (load.phases == 0)
        return Sizes[index];
    const bool large = operation / (Operations / load.phases) % 2;
    return Sizes[large ? 8 + index / 2 : index / 2];
}

alignas(8) std::uint8_t s_anything[LargestEvent];
const Heap s_none { "none", [](std::size_t) -> void * { return s_anything; }, [](void *) {} };

void run(const Heap &heap, const Load &load, Result &result)
{
    Random random { 2463534242 };
    for (std::uint32_t i = 0; i < Operations; ++i) {
        const std::uint32_t slot = random.next() % load.slots;
        std::uint8_t *&block = s_slots[slot];
        if (block) {
            // The first and the last byte identify the slot, so that two blocks at one address are
            // detected.
            if (&heap != &s_none && (block[0] != std::uint8_t(slot)
                                     || block[s_sizes[slot] - 1] != std::uint8_t(slot)))
                result.isIntact = false;
            heap.deallocate(block);
            block = nullptr;
            ++result.pairs;
            continue;
        }
        const std::uint32_t size = sizeOf(random.next(), load, i);
        block = static_cast<std::uint8_t *>(heap.allocate(size));
        if (!block) {
            ++result.refused;
            continue;
        }
        s_sizes[slot] = std::uint8_t(size);
        block[0] = block[size - 1] = std::uint8_t(slot);
    }
}

void runKinds(const Heap &heap, Result &result)
{
    Random random { 88675123 };
    std::uint32_t live[KindCount] = {};
    std::uint32_t first[KindCount] = {};
    for (std::uint32_t kind = 1; kind < KindCount; ++kind)
        first[kind] = first[kind - 1] + Kinds[kind - 1].most;
    std::uint32_t many = 0;
    for (std::uint32_t i = 0; i < Operations; ++i) {
        if (i % (Operations / Turns) == 0)
            many = random.next();
        const std::uint32_t kind = random.next() % KindCount;
        const std::uint32_t wanted = many >> kind & 1 ? Kinds[kind].most : Kinds[kind].most / 4;
        const bool up = live[kind] < wanted ? random.next() % 4 != 0 : false;
        std::uint8_t **slots = s_slots + first[kind];
        if (!up && live[kind] > 0) {
            const std::uint32_t slot = random.next() % live[kind];
            heap.deallocate(slots[slot]);
            slots[slot] = slots[--live[kind]];
            slots[live[kind]] = nullptr;
            ++result.pairs;
        } else if (up) {
            void *block = heap.allocate(Kinds[kind].size);
            if (block)
                slots[live[kind]++] = static_cast<std::uint8_t *>(block);
            else
                ++result.refused;
        }
    }
}

// What remains at the end: the largest possible block, and the number of events of the largest size.
void probe(const Heap &heap, Result &result)
{
    for (std::uint32_t size = HeapBytes; size > 0 && result.largest == 0; size -= 8) {
        if (void *block = heap.allocate(size)) {
            result.largest = size;
            heap.deallocate(block);
        }
    }
    static void *events[HeapBytes / LargestEvent];
    while (void *event = heap.allocate(LargestEvent))
        events[result.events++] = event;
    for (std::uint32_t i = 0; i < result.events; ++i)
        heap.deallocate(events[i]);
}

Result measure(const Heap &heap, const Load &load)
{
    Result result;
    const std::uint32_t begin = Board::timer();
    if (load.slots > 0)
        run(heap, load, result);
    else
        runKinds(heap, result);
    result.ticks = Board::timer() - begin;
    if (&heap != &s_none)
        probe(heap, result);
    std::uint32_t live = 0;
    for (std::uint8_t *&block : s_slots) {
        if (block) {
            ++live;
            heap.deallocate(block);
        }
        block = nullptr;
    }
    result.pairs += live;
    return result;
}

bool compare(const Heap &heap, const Load &load)
{
    const Result result = measure(heap, load);
    const Result nothing = measure(s_none, load);
    const std::uint32_t tenths = std::uint32_t(
            std::uint64_t(result.ticks - nothing.ticks) * Board::InstructionsPerTimerTick * 10
            / result.pairs);
    Board::print(heap.name);
    Board::print(", ");
    Board::print(load.name);
    Board::print(": pairs ", result.pairs);
    Board::print(", refused ", result.refused);
    Board::print(", instructions a pair ", tenths / 10);
    Board::print(".", tenths % 10);
    Board::print(", then largest block ", result.largest);
    Board::print(", then events of 128 bytes ", result.events);
    Board::print(result.isIntact ? "\n" : ", BLOCKS OVERLAP\n");
    const bool isPromised = load.slots == 0 && heap.allocate == &PoolHeap::allocate;
    if (isPromised && result.refused > 0)
        Board::print("the pool refused an allocation although it has room\n");
    return result.isIntact && result.pairs > 0 && result.ticks > nothing.ticks
            && !(isPromised && result.refused > 0);
}

} // namespace

int main()
{
    const Heap pool { "pool", &PoolHeap::allocate, &PoolHeap::deallocate };
    const Heap general { LIBRARY_NAME, &GeneralHeap::allocate, &GeneralHeap::deallocate };
    const Load loads[] = {
        { "two thirds full", 1750, 0 },
        { "nearly full", 2150, 0 },
        { "two thirds full, sizes changing", 1750, 20 },
        { "known numbers of each size", 0, 0 },
    };
    Board::print("of 64 KiB the pool has ", PoolHeap::bufferBytes());
    Board::print(" bytes of pages, ", PoolHeap::headerBytes());
    Board::print(" of their headers, ", PoolHeap::arenaBytes());
    Board::print(" of its arena\n");
    Board::startTimer();
    bool good = true;
    for (const Load &load : loads) {
        good = compare(general, load) && good;
        good = compare(pool, load) && good;
    }
    return good ? 0 : 1;
}
