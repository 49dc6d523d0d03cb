// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLINSPECTION_H
#define QPOOLINSPECTION_H

#include "../core/qpoolregistry.h"
#include "../pages/qpoolsystempages.h"

#include <array>
#include <cstddef>
#include <type_traits>

QPOOL_BEGIN_NAMESPACE

// One fact that a debugger needs to read a pool's memory. It must do without debug information, and
// without calling functions: the process may be a core file.
struct Fact
{
    char name[24];
    std::size_t number; // an offset or a size in bytes, or a count
    const void *address; // or the address of something
};

#if defined(__GNUC__)
// For types with a base class offsetof() is an extension. All supported compilers have it.
#  pragma GCC diagnostic push
#  pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif

/*
    The facts of a pool, for tools/gdb/qpool.py and for censuses. Both look them up by name, so new facts
    may be added at any time. Version changes when a fact is removed or its meaning changes. Readers check
    that each field lies within its record, so each kind of record has its size here.
*/
struct Inspection
{
    static constexpr std::size_t Version = 8;

    static constexpr Fact fact(const char *name, std::size_t number) noexcept
    {
        return fact(name, number, nullptr);
    }

    static constexpr Fact fact(const char *name, const void *address) noexcept
    {
        return fact(name, 0, address);
    }

    template <class Source>
    static const void *pageWindows() noexcept { return &Source::s_pages; }

    // The number of pages that blocks above the largest class use.
    template <class Source>
    static const void *blockPages() noexcept { return &Source::s_state.blockPages; }

    template <class Arenas>
    static const void *registry() noexcept { return &Arenas::s_registry; }

    template <class Source>
    struct Pages
    {
        using Windows = std::remove_reference_t<decltype(Source::s_pages)>;
        static constexpr std::size_t size = sizeof(Windows);
        // The number of the first window: its address divided by its size, which is 2 to the power of
        // shift.
        static constexpr std::size_t first = offsetof(Windows, m_firstWindow);
        static constexpr std::size_t shift = Windows::Shift;
        static constexpr std::size_t count = Windows::Count;
        // The number of the first page in each window. The headers of all pages are at its start.
        static constexpr std::size_t firstPage = Windows::FirstPage;
        // 32 bits for each window: how many of its pages have headers, counted from the first.
        static constexpr std::size_t taken = offsetof(Windows, m_taken);
    };

    template <class Registry>
    struct Arenas
    {
        using Type = typename Registry::ArenaType;
        static constexpr std::size_t registrySize = sizeof(Registry);
        static constexpr std::size_t size = sizeof(Type); // with its bins
        static constexpr std::size_t all = offsetof(Registry, m_all);
        static constexpr std::size_t next = offsetof(Type, nextArena);
        static constexpr std::size_t remoteCaches = offsetof(Registry, m_allRemoteCaches);
    };

    static constexpr std::size_t backlog = offsetof(Bin, backlog) + offsetof(Backlog, m_head);
    static constexpr std::size_t batches = offsetof(Bin, backlog) + offsetof(Backlog, m_batches);
    static constexpr std::size_t pushed = offsetof(Bin, backlog) + offsetof(Backlog, m_pushed);
    // In an arena. The lowest bit is set while the arena is parked.
    static constexpr std::size_t state = offsetof(ArenaBase, ownership)
            + offsetof(Ownership, m_state);

    struct RemoteCaches
    {
        static constexpr std::size_t next = offsetof(RemoteCache, nextRemoteCache);
        static constexpr std::size_t bins = offsetof(RemoteCache, m_bins); // of each slot; null: none
        static constexpr std::size_t slotArray = offsetof(RemoteCache, m_slots);
        static constexpr std::size_t slotSize = sizeof(RemoteCache::Slot);
        static constexpr std::size_t first = offsetof(RemoteCache::Slot, first);
        static constexpr std::size_t batch = offsetof(RemoteCache::Slot, batch);
        static constexpr std::size_t count = offsetof(RemoteCache::Slot, count); // in the batch
    };

private:
    static constexpr Fact fact(const char *name, std::size_t number, const void *address) noexcept
    {
        Fact result { {}, number, address };
        for (std::size_t i = 0; name[i]; ++i)
            result.name[i] = name[i];
        return result;
    }
};

// All facts of a pool for several threads; \a Pools is its PoolFront. Each domain has the same number of
// \a Layout's bins, but the last, which has the rest. Ends with a fact that has no name.
template <class Pools, class Layout>
constexpr auto factsOf(std::size_t binsOfDomain)
{
    using Pool = typename Pools::Pool;
    using Source = SystemPages;
    using WindowFacts = Inspection::Pages<Source>;
    using ArenaFacts = Inspection::Arenas<typename Pool::Registry>;
    using RemoteFacts = Inspection::RemoteCaches;
    constexpr auto fact = [](const char *name, auto value) { return Inspection::fact(name, value); };
    return std::array {
        fact("version", Inspection::Version),
        fact("hardened", std::size_t(hardening)),
        fact("linkKey", Link::keyPlace()),
        fact("chunk.size", sizeof(FreeChunk)), // the smallest
        fact("chunk.link", offsetof(FreeChunk, word)),

        fact("windows", Inspection::pageWindows<Source>()),
        fact("windows.size", WindowFacts::size),
        fact("windows.first", WindowFacts::first),
        fact("windows.shift", WindowFacts::shift),
        fact("windows.count", WindowFacts::count),
        fact("windows.firstPage", WindowFacts::firstPage),
        fact("windows.taken", WindowFacts::taken),
        fact("windows.blocks", Inspection::blockPages<Source>()),

        fact("page.size", std::size_t(Source::PageSize)),
        fact("header.size", sizeof(PageHeader)),
        fact("header.owner", offsetof(PageHeader, owner)),
        fact("header.bin", offsetof(PageHeader, bin)),
        fact("header.free", offsetof(PageHeader, free)),
        fact("header.used", offsetof(PageHeader, used)),
        fact("header.fresh", offsetof(PageHeader, fresh)),
        fact("header.capacity", offsetof(PageHeader, capacity)),
        fact("header.chunkSize", offsetof(PageHeader, chunkSize)),

        fact("registry", Inspection::registry<Pool>()),
        fact("registry.size", ArenaFacts::registrySize),
        fact("registry.arenas", ArenaFacts::all),
        fact("registry.remoteCaches", ArenaFacts::remoteCaches),

        fact("arena.size", ArenaFacts::size),
        fact("arena.next", ArenaFacts::next),
        fact("arena.id", offsetof(ArenaBase, id)),
        fact("arena.thread", offsetof(ArenaBase, thread)),
        fact("arena.orphaned", offsetof(ArenaBase, orphaned)),
        fact("arena.adoptions", offsetof(ArenaBase, adoptions)),
        fact("arena.pages", offsetof(ArenaBase, pageCount)),
        fact("arena.state", Inspection::state),
        fact("arena.bins", offsetof(ArenaBase, firstBin)),

        fact("bins", std::size_t(Layout::BinCount)),
        fact("bins.domain", binsOfDomain),
        fact("bin.size", sizeof(Bin)),
        fact("bin.state", offsetof(Bin, inlineSlots)), // the part that changes with the contents
        fact("bin.chunkSize", offsetof(Bin, chunkSize)),
        fact("bin.loaded", offsetof(Bin, loaded)),
        fact("bin.pushed", Inspection::pushed),
        fact("bin.backlog", Inspection::backlog),
        fact("bin.batches", Inspection::batches),
        fact("bin.keptBatches", offsetof(Bin, batches)),
        fact("bin.keptChunks", offsetof(Bin, chunks)),
        fact("bin.home", offsetof(Bin, home)), // the arena that has the pages; null: the bin's own
        fact("magazine.slots", offsetof(Bin, magazine)),
        fact("magazine.level", offsetof(Bin, level)), // how many slots are filled, in its low bits
        fact("magazine.mask", std::size_t(Bin::Level::MaxHeld)),

        fact("remoteCache.size", sizeof(RemoteCache)),
        fact("remoteCache.next", RemoteFacts::next),
        fact("remoteCache.bins", RemoteFacts::bins),
        fact("remoteCache.slots", RemoteFacts::slotArray),
        fact("remoteCache.slotCount", std::size_t(RemoteCache::Slots)),
        fact("slot.size", RemoteFacts::slotSize),
        fact("slot.first", RemoteFacts::first),
        fact("slot.batch", RemoteFacts::batch),
        fact("slot.count", RemoteFacts::count),

        fact("batch.size", sizeof(RemoteBatch)),
        fact("batch.capacity", std::size_t(RemoteBatch::Capacity)),
        fact("batch.next", offsetof(RemoteBatch, next)),
        fact("batch.count", offsetof(RemoteBatch, count)),
        fact("batch.chunks", offsetof(RemoteBatch, chunks)),

        fact("", std::size_t(0)),
    };
}

QPOOL_END_NAMESPACE

#endif // QPOOLINSPECTION_H
