// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TESTSCALE_H
#define TESTSCALE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

// How much work a test may do: tools that watch every access slow programs down, and the whole suite
// must end within minutes under each of them.
//
//   QPOOL_TEST_DIVISOR  divides the counts further (Valgrind can't be told at compile time)
//   QPOOL_TEST_SEED     repeats a randomised test

namespace TestScale {

#if defined(__SANITIZE_THREAD__)
inline constexpr std::uint64_t toolDivisor = 20;
inline constexpr bool underThreadSanitizer = true;
inline constexpr bool underAddressSanitizer = false;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr std::uint64_t toolDivisor = 4;
inline constexpr bool underThreadSanitizer = false;
inline constexpr bool underAddressSanitizer = true;
#else
inline constexpr std::uint64_t toolDivisor = 1;
inline constexpr bool underThreadSanitizer = false;
inline constexpr bool underAddressSanitizer = false;
#endif

// These map memory beside the program's, so limits and sizes of the whole process say nothing about the
// allocator.
inline constexpr bool ownsAddressSpace = !underThreadSanitizer && !underAddressSanitizer;

inline std::uint64_t environmentNumber(const char *name, std::uint64_t otherwise)
{
    const char *text = std::getenv(name);
    return text && *text ? std::strtoull(text, nullptr, 0) : otherwise;
}

inline std::uint64_t divisor()
{
    const std::uint64_t further = environmentNumber("QPOOL_TEST_DIVISOR", 1);
    return toolDivisor * (further ? further : 1);
}

inline std::uint64_t scaled(std::uint64_t count)
{
    const std::uint64_t affordable = count / divisor();
    return affordable ? affordable : 1;
}

// Printed, so that a failing run can be had again.
inline std::uint64_t seed()
{
    const std::uint64_t value = environmentNumber("QPOOL_TEST_SEED", std::random_device()());
    std::printf("QPOOL_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
    std::fflush(stdout);
    return value;
}

} // namespace TestScale

#endif // TESTSCALE_H
