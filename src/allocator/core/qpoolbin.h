// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLBIN_H
#define QPOOLBIN_H

#include "qpoolbacklog.h"

#include <atomic>
#include <type_traits>

QPOOL_BEGIN_NAMESPACE

struct PageHeader;
class ArenaBase;

/*
    How many chunks a magazine holds, and how many were ever popped from it. Both fast paths read
    and change these two; all other statistics follow from them and from what the slow paths loaded.
    On 64 bits they share one word, so that counting costs nothing: the low 16 bits are the chunks
    held and the high 48 bits the chunks popped, and one addition changes both. On 32 bits the count
    would wrap too soon, so they are two words.

    Only the owner writes. Loads and stores are relaxed: other threads read only for statistics.
*/
class LevelOfOneWord
{
public:
    struct Value
    {
        std::uint64_t word;
        QPOOL_ALWAYS_INLINE std::uint32_t held() const noexcept { return word & HeldMask; }
        std::size_t popped() const noexcept { return std::size_t(word >> HeldBits); }
    };
    static constexpr std::uint32_t MaxHeld = 0xffff;

    QPOOL_ALWAYS_INLINE Value load() const noexcept
    {
        return { m_word.load(std::memory_order_relaxed) };
    }
    QPOOL_ALWAYS_INLINE void pop(Value before) noexcept { store(before.word + HeldMask); }
    QPOOL_ALWAYS_INLINE void push(Value before) noexcept { store(before.word + 1); }
    void countPopped() noexcept { store(load().word + HeldMask + 1); }
    void setHeld(std::uint32_t held) noexcept { store((load().word & ~std::uint64_t(HeldMask)) | held); }

    // The layout for readers outside of the process, see SegmentHeader.
    static constexpr unsigned HeldBits = 16;
    static constexpr std::uint32_t HeldMask = MaxHeld;
    static constexpr unsigned PoppedShift = HeldBits;
    const void *heldPlace() const noexcept { return &m_word; }
    const void *poppedPlace() const noexcept { return &m_word; }

private:
    QPOOL_ALWAYS_INLINE void store(std::uint64_t word) noexcept
    {
        m_word.store(word, std::memory_order_relaxed);
    }

    std::atomic<std::uint64_t> m_word { 0 };
};

// The same in two words.
class LevelOfTwoWords
{
public:
    struct Value
    {
        std::uint32_t heldNow;
        std::size_t poppedSoFar;
        std::uint32_t held() const noexcept { return heldNow; }
        std::size_t popped() const noexcept { return poppedSoFar; }
    };
    static constexpr std::uint32_t MaxHeld = 0xffff;

    Value load() const noexcept
    {
        return { m_held.load(std::memory_order_relaxed), m_popped.load(std::memory_order_relaxed) };
    }
    void pop(Value before) noexcept
    {
        setHeld(before.heldNow - 1);
        m_popped.store(before.poppedSoFar + 1, std::memory_order_relaxed);
    }
    void push(Value before) noexcept { setHeld(before.heldNow + 1); }
    void countPopped() noexcept { m_popped.store(load().poppedSoFar + 1, std::memory_order_relaxed); }
    void setHeld(std::uint32_t held) noexcept { m_held.store(held, std::memory_order_relaxed); }

    static constexpr std::uint32_t HeldMask = MaxHeld;
    static constexpr unsigned PoppedShift = 0;
    const void *heldPlace() const noexcept { return &m_held; }
    const void *poppedPlace() const noexcept { return &m_popped; }

private:
    std::atomic<std::uint32_t> m_held { 0 };
    std::atomic<std::size_t> m_popped { 0 };
};

/*
    One size class of one arena. Its magazine is an array of free chunks (J. Bonwick and J. Adams,
    "Magazines and Vmem", USENIX 2001). Allocating and freeing both use the array's end: the chunk
    freed last, which is still in the cache, is allocated next, and neither accesses the chunk.

    Everything but the backlog belongs to the owner, or to the visitor while the arena is parked or
    orphaned. Fields that other threads read for statistics are atomic and always relaxed: the
    statistics are exact while the owner is quiet. Counts are words; on 32 bits they wrap.

    All zero is a valid, empty bin; the first allocation prepares it.
*/
struct alignas(CacheLineSize) Bin
{
    static constexpr std::uint32_t InlineCapacity = QPOOL_MAGAZINE;
    static constexpr std::uint32_t InlineBytes = 64 * 1024; // fewer slots for large chunks
    static constexpr std::uint32_t MiddleCapacity = 128;
    static constexpr std::uint32_t LargeCapacity = 512; // fills a page of the system
    static constexpr std::uint32_t MostCapacity = 1024; // at most Level::MaxHeld
    using Level = std::conditional_t<sizeof(std::size_t) == 8, LevelOfOneWord, LevelOfTwoWords>;

    // The fields that the fast paths need fill the first cache line.
    Level level;
    void **magazine = nullptr;
    std::uint32_t capacity = 0; // 0 while the bin is not watched: see Magazine::watch(), SampledBins
    std::atomic<std::uint32_t> chunkSize { 0 }; // 0: never used
    PageHeader *pages = nullptr; // those with chunks left to hand out
    std::atomic<std::size_t> loaded { 0 }; // moved into the magazine, minus moved to the pages
    // Taken from the backlog when the magazine had no room for their chunks. Non-null only while
    // the arena's pendingBytes are non-zero or about to be: the thread that takes the note unpacks
    // these, too.
    RemoteBatch *batches = nullptr;
    std::uint8_t slowPaths = 0; // since the last trim, up to Tuning::SlowPathsUntilUsed
    std::uint8_t overflows = 0; // of a used class since its last slow allocation, saturating
    std::uint16_t places = 0; // the capacity of the magazine's array, unless it is the inline one
    // Of level, at the last check whether the bin is used; of a sampled bin, the number of chunks popped
    // when a sample is due.
    std::uint32_t lastSeen = 0;
    Bin *nextWatched = nullptr;

    // The cache line that other threads write to, with fields that are rarely needed.
    alignas(CacheLineSize) Backlog backlog;
    FreeChunk *chunks = nullptr; // like batches: single chunks taken from the backlog
    // See Room: the next bin there, and this bin's arena while it is listed.
    Bin *nextWithRoom = nullptr;
    std::atomic<ArenaBase *> listedArena { nullptr };
    ArenaBase *home = nullptr; // null, or the shared arena that the magazine is filled from: see Supply

    alignas(CacheLineSize) void *inlineSlots[InlineCapacity] = {};

    QPOOL_ALWAYS_INLINE void *pop() noexcept
    {
        if constexpr (hardening == 2)
            return popOldest(quarantine());
        const auto now = level.load();
        const std::uint32_t count = now.held();
        if (QPOOL_UNLIKELY(count == 0))
            return nullptr;
        level.pop(now);
        void *chunk = magazine[count - 1];
        // The callers test for null: this lets the compiler merge both tests.
        QPOOL_ASSUME(chunk != nullptr);
        return chunk;
    }

    QPOOL_ALWAYS_INLINE bool push(void *chunk) noexcept
    {
        const auto now = level.load();
        const std::uint32_t count = now.held();
        // A sampled bin holds chunks although its capacity is 0.
        if (QPOOL_UNLIKELY(count >= capacity))
            return false;
        magazine[count] = chunk;
        level.push(now);
        return true;
    }

    std::uint32_t held() const noexcept { return level.load().held(); }

    bool isUnused() const noexcept { return chunkSize.load(std::memory_order_relaxed) == 0; }
    bool hasBacklog() const noexcept { return batches || chunks || !backlog.isEmpty(); }

    // At level 2 of hardening the magazine is also a quarantine: the oldest chunk is handed out
    // first, and only while this many others remain. A freed chunk therefore stays free, and writes
    // to it are detected, until this many others were handed out.
    std::uint32_t quarantine() const noexcept { return capacity / 2; }

    // Returns null if the magazine holds no more than \a least chunks.
    void *popOldest(std::uint32_t least) noexcept
    {
        const auto now = level.load();
        const std::uint32_t count = now.held();
        if (count <= least)
            return nullptr;
        void *chunk = magazine[0];
        for (std::uint32_t i = 1; i < count; ++i)
            magazine[i - 1] = magazine[i];
        level.pop(now);
        return chunk;
    }

    // Counts \a count chunks that came into the magazine from the pages or the backlog, or, if
    // negative, left it for the pages. The caller has updated the slots already.
    void countMoved(std::int32_t count) noexcept
    {
        loaded.store(loaded.load(std::memory_order_relaxed) + std::size_t(std::ptrdiff_t(count)),
                     std::memory_order_relaxed);
        level.setHeld(held() + std::uint32_t(count));
    }
};
static_assert(CacheLineSize < 64
              || sizeof(Bin) == 2 * CacheLineSize + Bin::InlineCapacity * sizeof(void *),
              "the owner's fields fit one cache line, and others' have one of their own");

QPOOL_END_NAMESPACE

#endif // QPOOLBIN_H
