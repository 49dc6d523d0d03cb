// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef RANDOMSOURCE_H
#define RANDOMSOURCE_H

#include <cstddef>
#include <cstdint>

// The same numbers on every system, so that tests can be repeated from their seed.
// (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.)
class RandomSource
{
public:
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return UINT64_MAX; }

    explicit RandomSource(std::uint64_t seed) : m_state(seed) { }

    std::uint64_t operator()()
    {
        m_state += 0x9E3779B97F4A7C15u;
        std::uint64_t value = m_state;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
        return value ^ (value >> 31);
    }

    std::size_t below(std::size_t bound) { return std::size_t((*this)() % bound); }

    // Sizes as programs ask for them: mostly small, now and then beyond every class.
    std::size_t blockSize()
    {
        const std::size_t kind = below(64);
        if (kind == 0)
            return 1025 + below(4096);
        if (kind < 8)
            return below(1025);
        return below(193);
    }

private:
    std::uint64_t m_state;
};

#endif // RANDOMSOURCE_H
