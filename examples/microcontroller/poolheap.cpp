// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heaps.h"

#include "pool/qlistedpoolallocator.h"

using namespace QPool;

namespace {

// The sizes of events: from a pointer and a type up to a key press with its text.
using EventSizes = ListedSizes<16, 24, 32, 40, 48, 64, 80, 96, 128>;

// The pages, their headers and the arena together are 64 KiB.
constexpr std::size_t OtherBytes = 2048;
using Pages = StaticPages<HeapBytes - OtherBytes, void, 1024>;
using Pool = QListedPoolAllocator<EventSizes, SingleThreaded, Pages>;
static_assert(Pool::ArenaBytes < HeapBytes / 32);
static_assert(Pool::ArenaBytes + sizeof(PageRange<1024>) <= OtherBytes);

} // namespace

void *PoolHeap::allocate(std::size_t size) { return Pool::allocate(size); }
void PoolHeap::deallocate(void *pointer) { Pool::deallocate(pointer); }
std::uint32_t PoolHeap::arenaBytes() { return Pool::ArenaBytes; }
std::uint32_t PoolHeap::headerBytes() { return Pages::PageCount * sizeof(PageHeader); }
std::uint32_t PoolHeap::bufferBytes() { return Pages::PageCount * Pages::PageSize; }
