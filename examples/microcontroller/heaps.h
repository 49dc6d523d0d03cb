// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEAPS_H
#define HEAPS_H

#include <cstddef>
#include <cstdint>

// Two heaps of 64 KiB each, including their own data.
constexpr std::size_t HeapBytes = 64 * 1024;

namespace PoolHeap {
void *allocate(std::size_t size);
void deallocate(void *pointer);
std::uint32_t arenaBytes();
std::uint32_t headerBytes();
std::uint32_t bufferBytes();
}

namespace GeneralHeap {
void *allocate(std::size_t size);
void deallocate(void *pointer);
}

#endif // HEAPS_H
