// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SIZEWAYS_H
#define SIZEWAYS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <vector>

// A public function that takes a number of bytes, and its public header.
struct SizeWay
{
    std::string name;
    std::string header;
    // Whether there is no memory of that size. What there is is freed.
    std::function<bool(std::size_t)> refuses;
    std::size_t possible = 100; // is served
    // Sizes that an object may have are not refused at once: it takes what memory there is, or only
    // computes.
    bool onlyBeyond = false;
};

// One that takes a number of elements of \c bytes each.
struct CountWay
{
    std::string name;
    std::string header;
    std::size_t bytes;
    std::function<bool(std::size_t)> refuses;
    std::size_t possible = 10;
};

// One that also takes an alignment. Null means refused.
struct AlignedWay
{
    std::string name;
    std::string header;
    std::function<void *(std::size_t bytes, std::size_t alignment)> allocate;
    std::function<void(void *, std::size_t bytes, std::size_t alignment)> deallocate;
};

struct Ways
{
    std::vector<SizeWay> sizes;
    std::vector<CountWay> counts;
    std::vector<AlignedWay> aligned;
};

void addPools(Ways &ways);
void addContainers(Ways &ways);
void addQueues(Ways &ways);
void addPageSources(Ways &ways);
void addSharedSegments(Ways &ways);

// Null or an exception is a refusal.
template <class Allocate, class Free>
bool isRefused(Allocate allocate, Free free)
{
    try {
        if (auto memory = allocate()) {
            free(memory);
            return false;
        }
    } catch (const std::bad_alloc &) { // or std::bad_array_new_length
    }
    return true;
}

// Out of the compiler's sight, which warns of sizes that it knows to be too large.
inline std::size_t unknown(std::size_t size)
{
    const volatile std::size_t copy = size;
    return copy;
}

#endif // SIZEWAYS_H
