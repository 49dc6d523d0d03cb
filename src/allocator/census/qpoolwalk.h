// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWALK_H
#define QPOOLWALK_H

#include "qpoollayoutfacts.h"
#include "qpoolsystemallocator.h"

namespace QPool {

// A chunk that the program has, and how it begins.
struct LiveChunk
{
    std::uintptr_t address;
    std::uint32_t size; // of its class
    unsigned domain; // 0 to 3, in the order of PoolWalk::domainName()
    std::uintptr_t words[2]; // zero where the chunk is shorter
};

// Who is told of live chunks, class by class of each arena. What it was told between begin() and
// discard() was a class in motion, and will come again.
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
    Visits the live chunks of a pool: those of its pages that were handed out and are neither in a
    magazine, nor in their page's list, nor on their way home, in a backlog, a batch or a remote cache.
    It only reads; the process goes on meanwhile, takes no lock for it, and does not notice. So what
    is read may change under its eyes, and for each size class of each arena it finds out whether
    it did:

    - What of the bin changes with what it holds (LayoutFacts::bin.state) is read before anything
      else, and again behind it. Every allocation raises the count of what was popped, every free
      and every move between magazine, backlog and pages changes one of the other counts: where all
      are the same, nothing happened. That a bin was changed all through and back is no loss: it
      would be counted as it was.
    - A thread that was interrupted in the middle of a slow path leaves a bin that stands still, but
      whose lists do not agree yet with its counts. So the chunks that were found must be as many as
      the counts say: loaded - held - pushed, less what is in remote caches.

    A bin that passes is exact, whether its thread sleeps, works on other classes, or has ended. The
    others are visited again, which is quick, for they are few. What never stands still is told as
    it was seen last, and counted as uncertain.

    Nothing is trusted: a link that leads out of its page, or a list without an end, is a bin in
    motion. All memory comes from the system, see SystemAllocator.
*/
class PoolWalk
{
public:
    static constexpr unsigned Rounds = 5;
    static constexpr std::size_t MostStateBytes = 512;

    struct Arena
    {
        std::uintptr_t address;
        std::uint64_t thread;
        std::uint64_t live; // chunks
        std::uint64_t uncertain; // of these, in bins that did not stand still
        std::uint32_t moving; // how many bins did not
        std::uint32_t id;
        bool orphaned;
        bool parked; // when it was looked at first
    };

    static constexpr unsigned EventDomain = 0;
    static constexpr unsigned ObjectDomain = 1;
    static constexpr unsigned HeapDomain = 3;
    static const char *domainName(unsigned domain) noexcept;

    PoolWalk(const ProcessMemory &memory, const LayoutFacts &facts);

    // False if the process's memory can't be read any more: it has ended.
    bool run(LiveChunkVisitor &visitor);

    // Whether an address is one of the pool's pages', during run() and after it.
    bool contains(std::uintptr_t address) const noexcept
    {
        return address - m_spanBase < m_spanSize;
    }

    // The newest first.
    const SystemVector<Arena> &arenas() const noexcept { return m_arenas; }

private:
    using Word = std::uintptr_t;

    struct Bin
    {
        Word address;
        std::uint32_t arena;
        std::uint32_t domain;
        bool done;
        unsigned char before[MostStateBytes];
    };
    struct Page
    {
        Word bin;
        Word start;
        Word free;
        std::uint32_t fresh;
        std::uint32_t capacity;
        std::uint32_t chunkSize;
        std::uint32_t marks; // the first of its words in m_marks
    };

    bool readArenas();
    bool readBins();
    bool readBefore();
    bool readPages();
    bool readRemoteCaches();
    void readSlot(Word slot);
    bool isPending(Word bin) const;

    enum Outcome { Exact, Moved };
    Outcome walk(Bin &bin, LiveChunkVisitor &visitor, std::uint64_t *live);
    bool prepareMarks();
    bool markFree(const Bin &bin, std::uint64_t *inRemoteCaches);
    bool markChain(Word chunk);
    bool markBatches(Word batch);
    bool markArray(Word array, std::size_t count);
    bool mark(Word chunk);
    bool visitPage(const Page &page, unsigned domain, LiveChunkVisitor &visitor,
                   std::uint64_t *live);
    Word decode(Word link, Word chunk) const;

    template <class Value>
    static Value at(const unsigned char *data, Word offset);

    const ProcessMemory &m_memory;
    const LayoutFacts &m_facts;
    Word m_linkKey = 0;
    Word m_spanBase = 0;
    Word m_spanSize = 0;
    SystemVector<Arena> m_arenas;
    SystemVector<Bin> m_bins; // those that were ever used; by address within an arena
    SystemVector<Word> m_pending; // addresses of bins, in order
    SystemVector<Page> m_pages; // of pending bins; by bin, then by address
    SystemVector<Word> m_remoteChunks; // chunks, in order
    SystemVector<std::uint64_t> m_marks; // a bit a chunk of the pages of one bin: free
    SystemVector<unsigned char> m_buffer;
    SystemVector<unsigned char> m_content;
    // Those of the bin that is walked.
    const Page *m_firstPage = nullptr;
    const Page *m_endPage = nullptr;
};

} // namespace QPool

#endif // QPOOLWALK_H
