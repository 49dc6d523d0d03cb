// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsamplefacts.h"

#include <algorithm>

namespace QPool {

// Each fact is named once, with the record that it is in and its width. Facts does all checks.
bool SampleFacts::take(Facts &facts, std::string *message)
{
    constexpr Word word = sizeof(Word);
    constexpr Word wide = sizeof(std::uint64_t);
    constexpr Word number = sizeof(std::uint32_t);
    // No records of any build come near these.
    constexpr Word mostState = 1 << 16;
    constexpr Word mostRecords = 64 << 20;
    constexpr Word mostCount = 1 << 20;

    hardened = facts.number("hardened", 0, 2);
    sampled = facts.number("sampled", 0, 1) != 0;

    const Facts::Record theState = facts.record("state.size", 1, mostState);
    state.at = facts.place("state", theState);
    state.interval = facts.field("state.interval", theState, word);
    state.records = facts.field("state.records", theState, word);
    state.missed = facts.field("state.missed", theState, wide);
    state.folded = facts.field("state.folded", theState, wide);
    state.freshStack = facts.field("state.freshStack", theState, number);
    state.freshSample = facts.field("state.freshSample", theState, number);

    const Facts::Record aStack = facts.record("stack.size", 1, 1 << 14);
    stack.bytes = aStack.bytes;
    stack.mostFrames = facts.number("stack.mostFrames", 1, 1024);
    stack.hash = facts.field("stack.hash", aStack, wide);
    stack.depth = facts.field("stack.depth", aStack, number);
    stack.frames = facts.field("stack.frames", aStack, word, stack.mostFrames);
    const auto sum = [&](const char *samples, const char *objects, const char *bytes) {
        return Sum { facts.field(samples, aStack, wide), facts.field(objects, aStack, wide),
                     facts.field(bytes, aStack, wide) };
    };
    stack.allocated = sum("stack.allocated", "stack.allocatedObjects", "stack.allocatedBytes");
    stack.inUse = sum("stack.inUse", "stack.inUseObjects", "stack.inUseBytes");

    const Facts::Record aSample = facts.record("sample.size", 1, 1 << 10);
    sample.bytes = aSample.bytes;
    sample.address = facts.field("sample.address", aSample, word);
    sample.weight = facts.field("sample.weight", aSample, wide);
    sample.stack = facts.field("sample.stack", aSample, number);

    const Facts::Record all = facts.record("records.size", 1, mostRecords);
    records.stackCount = facts.number("stacks", 1, mostCount);
    records.sampleCount = facts.number("samples", 1, mostCount);
    records.stacks = facts.field("records.stacks", all, std::max<Word>(stack.bytes, 1), records.stackCount);
    records.samples = facts.field("records.samples", all, std::max<Word>(sample.bytes, 1), records.sampleCount);
    records.objectParts = facts.number("objectParts", 1, 1 << 20);

    *message = facts.problem();
    return message->empty();
}

} // namespace QPool
