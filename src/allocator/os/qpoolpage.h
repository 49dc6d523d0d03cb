// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPAGE_H
#define QPOOLPAGE_H

#include "../qpoolglobal.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

struct Bin;
class ArenaBase;
struct FreeChunk;

// What hardened builds keep beside the header: which chunks of the page are in use, a bit a
// chunk, to tell a second free from a first one, and a guard derived from the fields that do
// not change while the page is held. Bits are atomic, for any thread may free any chunk.
template <bool Enabled>
struct PageEvidence
{
    static constexpr std::uintptr_t guard = 0;
    bool set(std::size_t) noexcept { return false; }
    bool reset(std::size_t) noexcept { return true; }
    void clear() noexcept { }
};

template <>
struct PageEvidence<true>
{
    std::uintptr_t guard;
    static constexpr std::size_t MaxChunks = 64 * 1024 / sizeof(void *);
    std::atomic<std::uint64_t> words[MaxChunks / 64];

    // Each returns what the bit was.
    bool set(std::size_t chunk) noexcept { return change(chunk, true); }
    bool reset(std::size_t chunk) noexcept { return change(chunk, false); }
    void clear() noexcept
    {
        for (auto &word : words)
            word.store(0, std::memory_order_relaxed);
    }

private:
    bool change(std::size_t chunk, bool on) noexcept
    {
        const std::uint64_t bit = std::uint64_t(1) << (chunk % 64);
        auto &word = words[chunk / 64];
        const std::uint64_t was = on ? word.fetch_or(bit, std::memory_order_relaxed)
                                     : word.fetch_and(~bit, std::memory_order_relaxed);
        return was & bit;
    }
};

// What is known of one page. Headers stand in a table of their own, beside the pages and not
// in them: headers at the start of aligned pages would all fall into the same few sets of
// every cache, a program's overrun could reach them, and no chunk could be aligned to a page.
struct alignas(CacheLineSize) PageHeader : PageEvidence<hardened>
{
    // Written by the owning arena while it holds the page and no chunk of it is out. Any
    // thread holding one of its chunks may read both: the chunk reached it after the write.
    ArenaBase *owner;
    Bin *bin;

    // The owner's alone.
    FreeChunk *free; // chunks that came back
    PageHeader *next; // in the bin's, the arena's or the source's list
    PageHeader *previous; // in the bin's list
    std::uint32_t used; // chunks out of the page, in a magazine or with the program
    std::uint32_t fresh; // the first chunk that was never handed out
    std::uint32_t capacity;
    std::uint32_t chunkSize; // stays when the page is let go of: see PageRange
    // How much of the page, from its start, was ever handed out since it came from the system, in
    // bytes: the rest holds no memory. Brought up to date when the page leaves its bin.
    std::uint32_t touched;
};

QPOOL_END_NAMESPACE

#endif // QPOOLPAGE_H
