// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSAMPLEFACTS_H
#define QPOOLSAMPLEFACTS_H

#include "census/qpoolfacts.h"

namespace QPool {

// The facts of a process's heap samples: allocator/pool/qpoolheapfacts.cpp lists them. Offsets, unless they are said to
// be something else.
struct SampleFacts
{
    using Word = Facts::Word;
    static constexpr Word Version = 1;

    Word hardened; // the level
    bool sampled; // whether the build takes samples at all

    struct
    {
        Word at; // an address
        Word interval, records, missed, folded, freshStack, freshSample;
    } state;
    struct
    {
        Word stacks, samples;
        Word stackCount, sampleCount; // numbers
        Word objectParts; // a number: of what objects are counted in
    } records;
    struct Sum
    {
        Word samples, objects, bytes;
    };
    struct
    {
        Word bytes; // the size
        Word hash, depth, frames;
        Word mostFrames; // a number
        Sum allocated, inUse;
    } stack;
    struct
    {
        Word bytes; // the size
        Word address, weight, stack;
    } sample;

    // False if a fact is missing or impossible, with a clause in \a message.
    bool take(Facts &facts, std::string *message);
};

} // namespace QPool

#endif // QPOOLSAMPLEFACTS_H
