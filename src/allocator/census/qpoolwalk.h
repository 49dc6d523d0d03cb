// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWALK_H
#define QPOOLWALK_H

#include "qpoolwalkmarks.h"

namespace QPool {

// A live chunk, and its first words.
struct LiveChunk
{
    std::uintptr_t address;
    std::uint32_t size; // of its class
    unsigned domain; // 0 to 3, in the order of PoolWalk::domainName()
    std::uintptr_t words[2]; // zero where the chunk is shorter
};

// Receives the live chunks, class by class of each arena. If discard() follows begin(), the class changed
// while it was read: its chunks since begin() are void, and will be passed again.
class LiveChunkVisitor
{
public:
    virtual void begin() = 0;
    virtual void chunk(const LiveChunk &chunk) = 0;
    virtual void commit() = 0;
    virtual void discard() = 0;

protected:
    ~LiveChunkVisitor() = default;
};

/*
    Visits the live chunks of a pool: the chunks of its pages that were allocated and are neither in a
    magazine, nor in their page's list, nor on their way back to their owner, in a backlog, a batch or a
    remote cache. It only reads; the process runs on, takes no lock for it, and is not affected. So the
    memory may change while it is read, and the walk detects that for each size class of each arena:

    - It reads the part of the bin that changes with its contents (LayoutFacts::bin.state) before all
      else, and again after all else. Every allocation raises the count of popped chunks; every free and
      every move between magazine, backlog and pages changes one of the other counts. If all counts are
      equal, nothing happened. If a bin changed and returned to exactly the same state, nothing is lost:
      the count is right for that state.
    - A thread that was interrupted in the middle of a slow path leaves a bin that does not change, but
      whose lists do not match its counts yet. So the number of chunks found must equal the counts:
      loaded - held - pushed, minus the chunks in remote caches.

    - A class whose chunks are large has pages only in a shared arena, and all threads' magazines hold its
      chunks. Its bins are checked together.

    A bin that passes both checks is exact, whether its thread sleeps, uses other classes, or has ended. The
    others are visited again, which is fast, because they are few. A bin that never stops changing is
    reported as it was last seen, and its chunks count as uncertain.

    Nothing is trusted. The lists of arenas and of remote caches, and the windows of the pages, never look
    wrong in a pool, so the walk fails if they do. All else may look wrong for a moment: a link that leads
    out of its page, or a list without an end, marks a bin as changing. WalkLimits bounds the rest. All
    memory comes from the system, see SystemAllocator.
*/
class PoolWalk
{
public:
    static constexpr unsigned Rounds = 5;

    struct Arena
    {
        std::uintptr_t address;
        std::uint64_t thread;
        std::uint64_t live; // chunks
        std::uint64_t uncertain; // the part of live in bins that changed during the walk
        std::uint32_t moving; // the number of such bins
        std::uint32_t id;
        bool orphaned;
        bool parked; // when it was first read
    };

    static constexpr unsigned EventDomain = 0;
    static constexpr unsigned ObjectDomain = 1;
    static constexpr unsigned HeapDomain = 3;
    static const char *domainName(unsigned domain) noexcept;

    // \a mappedBytes: see WalkLimits.
    PoolWalk(const ReadableMemory &memory, const LayoutFacts &facts, std::uint64_t mappedBytes);

    WalkResult run(LiveChunkVisitor &visitor);

    // Whether an address is in one of the pool's pages. Valid during run() and after it.
    bool contains(std::uintptr_t address) const noexcept { return m_pages.contains(address); }

    // The newest first.
    const SystemVector<Arena> &arenas() const noexcept { return m_arenas; }

private:
    using Word = std::uintptr_t;

    struct Bin
    {
        Word address;
        std::uint32_t arena;
        std::uint8_t domain;
        bool done;
    };

    WalkResult readArenas();
    WalkResult readBins();
    bool readBinsOf(std::size_t arena, Word first);
    bool readBefore();
    void findPending();
    unsigned char *stateOf(std::size_t bin) { return m_states.data() + bin * m_facts.bin.state; }

    // Returns whether the count is exact.
    bool walk(std::size_t index, LiveChunkVisitor &visitor, std::uint64_t *live);
    bool markFree(std::size_t bin, Word *counted);
    std::uint64_t markRemote(WalkPages::Range pages, bool *sound);
    bool isUnchanged(std::size_t bin);
    // Calls \a use with the place of each bin in m_bins whose magazine is filled from the pages of one.
    template <class Use>
    void forEachPart(std::size_t bin, Use &&use);
    bool visitPage(const WalkPages::Page &page, unsigned domain, LiveChunkVisitor &visitor,
                   std::uint64_t *live);

    const ReadableMemory &m_memory;
    const LayoutFacts &m_facts;
    const WalkLimits m_limits;
    WalkLinks m_links;
    WalkPages m_pages;
    WalkRemotes m_remotes;
    WalkMarks m_marks;
    SystemVector<Arena> m_arenas;
    SystemVector<Bin> m_bins; // the used ones; sorted by address within an arena
    SystemVector<unsigned char> m_states; // of each bin, before all that is checked against it
    struct Part
    {
        Word home; // a bin of a shared arena
        std::size_t bin; // in m_bins
    };
    SystemVector<Part> m_parts; // in order of their homes
    SystemVector<Word> m_pending; // addresses of bins, in order
    SystemVector<unsigned char> m_content; // of one page
};

} // namespace QPool

#endif // QPOOLWALK_H
