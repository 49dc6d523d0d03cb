// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHEAPPROFILE_H
#define QPOOLHEAPPROFILE_H

#include <cstdint>
#include <vector>

namespace QPool {

// What the samples of a process's heap say at one moment: estimates, but for the numbers of samples.
struct HeapProfile
{
    struct Sum
    {
        std::uint64_t samples = 0;
        double objects = 0;
        double bytes = 0;

        void add(const Sum &other)
        {
            samples += other.samples;
            objects += other.objects;
            bytes += other.bytes;
        }
    };

    struct Stack
    {
        std::vector<std::uintptr_t> frames; // return addresses, the innermost first; none: of several stacks
        Sum allocated; // since sampling began
        Sum inUse;
    };

    // A sampled block that is in use.
    struct Sample
    {
        std::uintptr_t address;
        double bytes; // what it stands for
        std::size_t stack; // in stacks
    };

    // What is missing: how many, and of what, as the rest of a sentence without a full stop.
    struct Note
    {
        std::uint64_t count;
        const char *what;
    };

    std::int64_t pid = 0;
    std::uint64_t interval = 0; // bytes; 0: sampling is off
    std::uint64_t missed = 0; // samples that were not recorded
    std::uint64_t folded = 0; // stacks given up for others
    std::uint64_t damaged = 0; // records that changed while they were read
    std::vector<Stack> stacks;
    std::vector<Sample> samples;

    Sum allocated() const
    {
        Sum sum;
        for (const Stack &stack : stacks)
            sum.add(stack.allocated);
        return sum;
    }
    Sum inUse() const
    {
        Sum sum;
        for (const Stack &stack : stacks)
            sum.add(stack.inUse);
        return sum;
    }

    std::vector<Note> notes() const
    {
        const Note notes[] = { { folded, "stacks were given up for others: what they allocated is in one line" },
                               { missed, "samples had no room, and are missing" },
                               { damaged, "stacks changed while they were read, and are missing" } };
        std::vector<Note> result;
        for (const Note &note : notes) {
            if (note.count > 0)
                result.push_back(note);
        }
        return result;
    }
};

} // namespace QPool

#endif // QPOOLHEAPPROFILE_H
