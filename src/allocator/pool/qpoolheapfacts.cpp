// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The facts of a process's heap samples, for qpool heap, which reads them from outside and writes one word, the
// control word. QtCore and the malloc front each have this table, of the same samples: a C program has no QtCore, and
// a program need not have the front. Plain C, so that it can be found by its name; nothing calls it. The reader is
// src/inspector/qpoolsamplefacts.cpp.

#include "qprocesspool.h"

#if QPOOL_PROCESS_COPY && defined(__linux__)

#include "../stats/qpoolinspection.h"

QPOOL_BEGIN_NAMESPACE

namespace {

// Changes when a fact is removed or its meaning changes.
constexpr std::size_t FactsVersion = 1;

constexpr std::size_t Allocated = offsetof(StackRecord, allocated);
constexpr std::size_t InUse = offsetof(StackRecord, inUse);

constexpr Fact fact(const char *name, std::size_t number) noexcept { return Inspection::fact(name, number); }
constexpr Fact at(const char *name, const void *address) noexcept { return Inspection::fact(name, address); }

} // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
extern "C" {
extern const Fact qpool_heap_facts[];
QPOOL_KEPT const Fact qpool_heap_facts[] = {
    fact("version", FactsVersion),
    fact("hardened", std::size_t(hardening)),
    fact("sampled", std::size_t(PublishedPages::HasSamples)),

    at("state", &OnePerProcess<HeapSamplesState>::value),
    fact("state.size", sizeof(HeapSamplesState)),
    fact("state.interval", offsetof(HeapSamplesState, interval)),
    fact("state.records", offsetof(HeapSamplesState, records)),
    fact("state.missed", offsetof(HeapSamplesState, missed)),
    fact("state.folded", offsetof(HeapSamplesState, folded)),
    fact("state.freshStack", offsetof(HeapSamplesState, freshStack)),
    fact("state.freshSample", offsetof(HeapSamplesState, freshSample)),

    fact("records.size", sizeof(SampleRecords)),
    fact("records.stacks", offsetof(SampleRecords, stacks)),
    fact("records.samples", offsetof(SampleRecords, samples)),
    fact("stacks", std::size_t(SampleRecords::StackCount)),
    fact("samples", std::size_t(SampleRecords::SampleCount)),

    fact("stack.size", sizeof(StackRecord)),
    fact("stack.hash", offsetof(StackRecord, hash)),
    fact("stack.depth", offsetof(StackRecord, depth)),
    fact("stack.frames", offsetof(StackRecord, frames)),
    fact("stack.mostFrames", std::size_t(StackRecord::MostFrames)),
    fact("stack.allocated", Allocated + offsetof(SampleSum, samples)),
    fact("stack.allocatedObjects", Allocated + offsetof(SampleSum, objects)),
    fact("stack.allocatedBytes", Allocated + offsetof(SampleSum, bytes)),
    fact("stack.inUse", InUse + offsetof(SampleSum, samples)),
    fact("stack.inUseObjects", InUse + offsetof(SampleSum, objects)),
    fact("stack.inUseBytes", InUse + offsetof(SampleSum, bytes)),
    fact("objectParts", std::size_t(SampleSum::ObjectParts)),

    fact("sample.size", sizeof(SampleRecord)),
    fact("sample.address", offsetof(SampleRecord, address)),
    fact("sample.weight", offsetof(SampleRecord, bytes)),
    fact("sample.stack", offsetof(SampleRecord, stack)),

    fact("", std::size_t(0)),
};
} // extern "C"
#pragma GCC diagnostic pop

QPOOL_END_NAMESPACE

#endif // QPOOL_PROCESS_COPY && __linux__
