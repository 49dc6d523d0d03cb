// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef RANDOM_H
#define RANDOM_H

#include <cstdint>

// The same numbers on each run. (G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software, 2003.)
struct Random
{
    std::uint32_t state;
    std::uint32_t next()
    {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }
};

#endif // RANDOM_H
