// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPAGE_H
#define QPOOLPAGE_H

#include "../qpoolglobal.h"

#include <atomic>
#include <type_traits>

QPOOL_BEGIN_NAMESPACE

struct Bin;
class ArenaBase;
struct FreeChunk;

// What level 2 keeps in addition to the header: where in the page live chunks start, one bit for every eight bytes, and
// a guard derived from the fields that do not change while the page is held. The bits distinguish a first free from a
// second one, and from that of a chunk that was never handed out, without a division. They are atomic because any
// thread may free any chunk; relaxed, because the thread that frees a chunk got it, in some ordered way, from the
// thread that set the bit.
struct PageEvidence
{
    static constexpr std::size_t PageSize = 64 * 1024; // at most, whatever the source
    static constexpr std::size_t Granule = 8;
    std::uintptr_t guard;
    std::atomic<std::uint64_t> words[PageSize / Granule / 64];
    std::atomic<std::uint32_t> payload;

    void setGuard(std::uintptr_t value) noexcept { guard = value; }

    // Changes the state of the chunk at \a offset; each returns whether it was live.
    bool setLive(std::size_t offset) noexcept
    {
        return wordOf(offset).fetch_or(bitOf(offset), std::memory_order_relaxed) & bitOf(offset);
    }
    bool setFree(std::size_t offset) noexcept
    {
        return wordOf(offset).fetch_and(~bitOf(offset), std::memory_order_relaxed) & bitOf(offset);
    }
    bool isLive(std::size_t offset) const noexcept
    {
        return words[offset / Granule / 64].load(std::memory_order_relaxed) & bitOf(offset);
    }
    // How many bytes of a chunk the program may use, for messages. Set by each thread that allocates a chunk, always to
    // the same value.
    void setPayload(std::size_t size) noexcept
    {
        payload.store(std::uint32_t(size), std::memory_order_relaxed);
    }
    std::uint32_t payloadOf(std::uint32_t chunkSize) const noexcept
    {
        const std::uint32_t size = payload.load(std::memory_order_relaxed);
        return size ? size : chunkSize;
    }

    void clear() noexcept
    {
        payload.store(0, std::memory_order_relaxed);
        for (auto &word : words)
            word.store(0, std::memory_order_relaxed);
    }

private:
    std::atomic<std::uint64_t> &wordOf(std::size_t offset) noexcept
    {
        return words[offset / Granule / 64];
    }
    static std::uint64_t bitOf(std::size_t offset) noexcept
    {
        return std::uint64_t(1) << offset / Granule % 64;
    }
};

// What other builds keep: nothing.
struct NoPageEvidence
{
    static constexpr std::uintptr_t guard = 0;
    void setGuard(std::uintptr_t) noexcept { }
    bool setLive(std::size_t) noexcept { return false; }
    bool setFree(std::size_t) noexcept { return true; }
    bool isLive(std::size_t) const noexcept { return true; }
    void setPayload(std::size_t) noexcept { }
    std::uint32_t payloadOf(std::uint32_t chunkSize) const noexcept { return chunkSize; }
    void clear() noexcept { }
};

// How much address space and memory a page source holds, in bytes.
struct PageMemory
{
    std::size_t reserved = 0;
    std::size_t committed = 0; // of what was ever handed out; usable memory beyond takes none
    std::size_t decommitted = 0; // were committed, went back to the system; their addresses are kept
};

// How many bytes a page from the system has: see SystemPages.
inline constexpr std::size_t SystemPageSize = 64 * 1024;

// On small machines pages are small, and headers are a large part of them.
#ifdef QPOOL_FREESTANDING
inline constexpr bool haveSmallHeaders = hardening == 0 && sizeof(void *) < 8;
#else
inline constexpr bool haveSmallHeaders = false;
#endif
using PageNumber = std::conditional_t<haveSmallHeaders, std::uint16_t, std::uint32_t>;

// The state of one page. Headers are in a separate table and not in the pages: headers at the start of aligned pages
// would all be in the same few sets of every cache, a program's overrun could reach them, and no chunk could be aligned
// to a page.
struct alignas(CacheLineSize) PageHeader : std::conditional_t<hardening == 2, PageEvidence, NoPageEvidence>
{
    // Written by the owning arena while it holds the page and no chunk of it is out. Any thread holding one of its
    // chunks may read both: the chunk reached it after the write. A source that frees the page before or behind may
    // read `bin` at the same time, for its tag: see setBin(). It finds a value that is no tag.
    ArenaBase *owner;
    Bin *bin;

    // The following fields are the owner's alone.
    FreeChunk *free; // chunks that came back
    PageHeader *next; // in the bin's, the arena's or the source's list
    PageHeader *previous; // in the bin's list
    PageNumber used; // chunks out of the page, in a magazine or with the program
    PageNumber fresh; // the first chunk that was never handed out
    PageNumber capacity;
    PageNumber chunkSize; // kept when the page is released: see PageRange
    // How many bytes of the page, from its start, were ever handed out since it came from the system: the rest has no
    // memory. Updated when the page leaves its bin.
    PageNumber touched;
    union {
        // In hardened builds: 2^32 divided by the chunk size, rounded up. A multiplication by it shows whether an
        // offset is a multiple of the chunk size: see isChunkStart().
        std::conditional_t<hardened, std::uint32_t, PageNumber> reciprocal;
        // In other builds: how many chunks came back since the free ones were sorted, or a number that says that parts
        // of the page went back to the system and nothing came since: see PageChunks.
        PageNumber cameBack;
    };

    // Relaxed, like FreeRuns::tagOf(): the value alone matters.
    void setBin(Bin *value) noexcept
    {
#if defined(__GNUC__)
        __atomic_store_n(&bin, value, __ATOMIC_RELAXED);
#else
        bin = value;
#endif
    }

    // Whether `bin` is a bin: a source may keep a small number there in pages that have none.
    bool hasBin() const noexcept { return reinterpret_cast<std::uintptr_t>(bin) >= CacheLineSize; }

    static std::uint32_t reciprocalOf(std::size_t size) noexcept
    {
        return std::uint32_t(((std::uint64_t(1) << 32) + size - 1) / size);
    }

    void setChunkSize(std::size_t size) noexcept
    {
        chunkSize = PageNumber(size);
        if constexpr (hardened)
            reciprocal = reciprocalOf(size);
        else
            cameBack = 0;
    }

    // Whether a chunk may start \a offset bytes into the page: only for multiples is the fractional part of the product
    // less than one step. Correct for offsets and sizes of 16 bits. (D. Lemire, O. Kaser and N. Kurz, "Faster Remainder
    // by Direct Computation", SPE 49, 2019.) Not for a page that never had chunks.
    bool isChunkStart(std::size_t offset) const noexcept
    {
        return std::uint32_t(offset) * reciprocal < reciprocal;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLPAGE_H
