// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSAMPLEMATH_H
#define QPOOLSAMPLEMATH_H

#include "../qpoolglobal.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

// The arithmetic of samples. Programs need not have the mathematical library, so the functions are
// approximated here. The relative errors of logarithm() and decay() are below 1e-10, and that of weight() is 1e-8
// at most, for 8 bytes in a GiB: nothing beside what chance adds.
namespace SampleMath {

inline constexpr double Ln2 = 0.693147180559945309417;

// The bits of a double: a sign, 11 bits of exponent, 52 of fraction.
inline constexpr unsigned FractionBits = 52;
inline constexpr std::uint64_t FractionMask = (std::uint64_t(1) << FractionBits) - 1;
inline constexpr int Bias = 1023;

inline double fromBits(std::uint64_t bits) noexcept
{
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

// The natural logarithm of a normal, positive number: of its power of two, and of the rest by the series of
// the area tangent, which converges fast near 1.
inline double logarithm(double value) noexcept
{
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    int exponent = int(bits >> FractionBits) - Bias;
    double rest = fromBits((bits & FractionMask) | std::uint64_t(Bias) << FractionBits);
    if (rest > 1.41421356) {
        rest /= 2;
        ++exponent;
    }
    const double t = (rest - 1) / (rest + 1);
    const double square = t * t;
    double sum = 0;
    for (int odd = 13; odd > 0; odd -= 2)
        sum = sum * square + 1.0 / odd;
    return exponent * Ln2 + 2 * t * sum;
}

// e to the power of \a -value, which is not negative: a power of two, and the rest by its series.
inline double decay(double value) noexcept
{
    if (value > 700)
        return 0;
    const int halvings = int(value / Ln2 + 0.5);
    const double rest = halvings * Ln2 - value;
    double sum = 1;
    for (int term = 12; term > 0; --term)
        sum = 1 + sum * rest / term;
    return sum * fromBits(std::uint64_t(Bias - halvings) << FractionBits);
}

// One of a sequence of random numbers, by its place in it: the places may be drawn by any thread in any order.
// (G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.)
inline std::uint64_t randomAt(std::uint64_t seed, std::uint64_t place) noexcept
{
    std::uint64_t z = seed + place * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// An exponentially distributed number of this mean: the way to the next point of a Poisson process.
inline double exponential(std::uint64_t random, double mean) noexcept
{
    // More than 0, at most 1.
    const double uniform = double((random >> 11) + 1) / 9007199254740992.0;
    return -mean * logarithm(uniform);
}

// How many bytes a sampled block of \a bytes stands for, if samples are \a interval bytes apart in the mean: its
// size divided by the probability that it is sampled.
inline double weight(double bytes, double interval) noexcept
{
    return bytes / (1 - decay(bytes / interval));
}

} // namespace SampleMath

QPOOL_END_NAMESPACE

#endif // QPOOLSAMPLEMATH_H
