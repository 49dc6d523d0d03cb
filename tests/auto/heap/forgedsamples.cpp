// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Makes up a table of facts and the records of samples, at the orders of tst_heap.py: a fact's name, and its number, or
// its address if "address" is in front. At first all are right.

#include "samples/qpoolheapsamples.h"
#include "stats/qpoolinspection.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace QPool;

namespace {

HeapSamplesState s_state;
alignas(SampleRecords) char s_records[sizeof(SampleRecords)];

constexpr std::size_t Allocated = offsetof(StackRecord, allocated);
constexpr std::size_t InUse = offsetof(StackRecord, inUse);

Fact fact(const char *name, std::size_t number)
{
    return Inspection::fact(name, number);
}

} // namespace

#define FACT_LIST \
    fact("version", 1), fact("hardened", 0), fact("sampled", 1), Inspection::fact("state", &s_state), \
    fact("state.size", sizeof(HeapSamplesState)), fact("state.interval", offsetof(HeapSamplesState, interval)), \
    fact("state.records", offsetof(HeapSamplesState, records)), \
    fact("state.missed", offsetof(HeapSamplesState, missed)), fact("state.folded", offsetof(HeapSamplesState, folded)), \
    fact("state.freshStack", offsetof(HeapSamplesState, freshStack)), \
    fact("state.freshSample", offsetof(HeapSamplesState, freshSample)), fact("records.size", sizeof(SampleRecords)), \
    fact("records.stacks", offsetof(SampleRecords, stacks)), fact("records.samples", offsetof(SampleRecords, samples)), \
    fact("stacks", SampleRecords::StackCount), fact("samples", SampleRecords::SampleCount), \
    fact("stack.size", sizeof(StackRecord)), fact("stack.hash", offsetof(StackRecord, hash)), \
    fact("stack.depth", offsetof(StackRecord, depth)), fact("stack.frames", offsetof(StackRecord, frames)), \
    fact("stack.mostFrames", StackRecord::MostFrames), fact("stack.allocated", Allocated + offsetof(SampleSum, samples)), \
    fact("stack.allocatedObjects", Allocated + offsetof(SampleSum, objects)), \
    fact("stack.allocatedBytes", Allocated + offsetof(SampleSum, bytes)), \
    fact("stack.inUse", InUse + offsetof(SampleSum, samples)), \
    fact("stack.inUseObjects", InUse + offsetof(SampleSum, objects)), \
    fact("stack.inUseBytes", InUse + offsetof(SampleSum, bytes)), fact("objectParts", SampleSum::ObjectParts), \
    fact("sample.size", sizeof(SampleRecord)), fact("sample.address", offsetof(SampleRecord, address)), \
    fact("sample.weight", offsetof(SampleRecord, bytes)), \
    fact("sample.stack", offsetof(SampleRecord, stack)), fact("", 0)

extern "C" {
Fact qpool_heap_facts[] = { FACT_LIST };
}

int main()
{
    // Two stacks, and a sample of the second; the first one's hash is not that of its frames.
    auto *records = new (s_records) SampleRecords;
    for (std::uint32_t i = 1; i <= 2; ++i) {
        StackRecord &stack = records->stacks[i];
        stack.depth = 2;
        stack.frames[0] = 0x1000 + i;
        stack.frames[1] = 0x2000 + i;
        stack.hash = StackRecord::hashOf(stack.frames, 2) + (i == 1);
        stack.allocated.add(2 * SampleSum::ObjectParts, 3000);
        stack.inUse.add(SampleSum::ObjectParts, 1500);
    }
    records->samples[1].stack = 2;
    records->samples[1].bytes = 1500;
    records->samples[1].address = reinterpret_cast<std::uintptr_t>(records);
    s_state.records = records;
    s_state.freshStack = 3;
    s_state.freshSample = 2;
    s_state.taken = 4;
    s_state.interval = 4096;

    std::puts("ready");
    std::fflush(stdout);
    const Fact right[] = { FACT_LIST };
    char order[200];
    while (std::fgets(order, sizeof(order), stdin)) {
        std::memcpy(static_cast<void *>(qpool_heap_facts), right, sizeof(right));
        s_state.records = records;
        char name[32] = "";
        unsigned long long number = 0;
        const bool isAddress = std::sscanf(order, "address %31s %llu", name, &number) == 2;
        if (isAddress || std::sscanf(order, "%31s %llu", name, &number) == 2) {
            for (Fact &one : qpool_heap_facts) {
                if (std::strcmp(one.name, name) != 0)
                    continue;
                if (isAddress)
                    one.address = reinterpret_cast<const void *>(std::uintptr_t(number));
                else
                    one.number = std::size_t(number);
            }
            if (std::strcmp(name, "records") == 0)
                s_state.records = reinterpret_cast<SampleRecords *>(std::uintptr_t(number));
            if (std::strcmp(name, "without") == 0) // so many facts
                qpool_heap_facts[number].name[0] = '\0';
        }
        std::puts("ready");
        std::fflush(stdout);
    }
    return 0;
}
