// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCONCEPTS_H
#define QPOOLCONCEPTS_H

#include "../os/qpoollock.h"
#include "../pages/qpoolpage.h"

#include <type_traits>
#include <utility>

QPOOL_BEGIN_NAMESPACE

/*
    What the parameters of a pool must provide. PoolFront asserts it, so that an error message names
    a missing or misspelt member at once, instead of a place within the core.

    A \b layout defines the bins of an arena:
    - BinCount, a constant greater than zero;
    - chunkSize(bin), constexpr: the bytes of each chunk of a bin, the same at each call;
    - isDisabled(): whether the pool refuses everything for the life of the process. Called once, at
      the first use, by one thread;
    - needsForkHandlers(), if it likes: see ForkHandlers; FirstShared, if it likes, for MultiThreaded: from this bin
      on, chunks come from arenas that all threads share if the source GrowsMagazines, see Supply. Others are smaller.

    A \b page source provides pages, each at a multiple of its size, and the allocator's own memory.
    All its functions are static. They are thread-safe, unless Lock is NoLock:
    - PageSize, a power of two; Lock, a type with lock(), try_lock() and unlock(), or NoLock;
    - GrowsMagazines: whether there is memory for more than a few chunks in the magazine of each
      class;
    - HasHeap: whether larger blocks may come from the C++ heap; HasBlocks: whether the source has such
      blocks itself, with the functions of SystemPages; HasParts: whether parts of a page may go back to
      the system, with SystemPages' discard(); HasSamples: whether allocations may be sampled, with the
      functions of PublishedPages;
    - acquirePage() and releasePage(header): null when there is no page;
    - allocateMetadata(bytes), allocateArena(bytes): zeroed, aligned to cache lines, never given
      back;
    - pageOf(header), headerOf(chunk): convert one to the other, for pages in use;
    - contains(pointer), findHeader(pointer), findUsedHeader(pointer), findNear(pointer): for any
      pointer, by any thread; findNear() may miss pages that are rarely used;
    - periodEnds(since): for a thread at work, now and then: returns whether a period has passed since
      \c since, which becomes now then; giveBackDue(): gives a little of what is old back to the system, while
      the caller has nothing that other threads wait for;
    - untilOld(holds): in how many milliseconds there may be something old, 0 if there is, -1 if nothing is
      free; \c holds: whether the caller has something; idle(): for a thread without an arena that is about
      to sleep, gives a little back, and returns the same; trim(): gives back all that is free;
    - memory(): a PageMemory; surviveFork(): registers the handlers that the source's lock needs
      around fork(); arenasSurviveFork(): whether a child sees what allocateArena() returned as it was at
      the fork().

    A \b model defines which threads may allocate and free: Name; ManyThreads, whether they are
    several, which needs a source with a lock (see ModelOnSource); and a template Pool<Layout,
    Source> with tryAllocate(bin), allocate(bin), deallocate(page, chunk), tryDeallocate(page,
    chunk, bin), flush(), park(), idle(), trim(), isDisabled(), name() and forEachArena(visit).
*/
namespace Concepts {

template <class, class = void>
inline constexpr bool isLayout = false;

template <class Layout>
inline constexpr bool isLayout<Layout, std::void_t<
        std::enable_if_t<(Layout::BinCount > 0)>,
        std::enable_if_t<std::is_same_v<decltype(Layout::chunkSize(0u)), std::size_t>>,
        std::enable_if_t<std::is_same_v<decltype(Layout::isDisabled()), bool>>>> = true;

template <class, class = void>
inline constexpr bool hasPages = false;

template <class Source>
inline constexpr bool hasPages<Source, std::void_t<
        typename Source::Lock,
        std::enable_if_t<Source::PageSize != 0 && (Source::PageSize & (Source::PageSize - 1)) == 0>,
        std::enable_if_t<Source::GrowsMagazines || !Source::GrowsMagazines>,
        std::enable_if_t<Source::HasHeap || !Source::HasHeap>,
        std::enable_if_t<Source::HasBlocks || !Source::HasBlocks>,
        std::enable_if_t<Source::HasParts || !Source::HasParts>,
        std::enable_if_t<Source::HasSamples || !Source::HasSamples>,
        std::enable_if_t<std::is_same_v<decltype(Source::acquirePage()), PageHeader *>>,
        decltype(Source::releasePage(std::declval<PageHeader *>())),
        std::enable_if_t<std::is_same_v<decltype(Source::allocateMetadata(std::size_t())), void *>>,
        std::enable_if_t<std::is_same_v<decltype(Source::allocateArena(std::size_t())), void *>>,
        std::enable_if_t<std::is_same_v<decltype(Source::periodEnds(std::declval<std::uint32_t &>())), bool>>,
        decltype(Source::giveBackDue()), std::enable_if_t<std::is_same_v<decltype(Source::untilOld(true)), int>>,
        std::enable_if_t<std::is_same_v<decltype(Source::idle()), int>>,
        decltype(Source::trim()), decltype(Source::surviveFork()),
        std::enable_if_t<std::is_same_v<decltype(Source::arenasSurviveFork()), bool>>,
        std::enable_if_t<std::is_same_v<decltype(Source::memory()), PageMemory>>>> = true;

template <class, class = void>
inline constexpr bool findsPages = false;

template <class Source>
inline constexpr bool findsPages<Source, std::void_t<
        std::enable_if_t<std::is_same_v<decltype(Source::contains(nullptr)), bool>>,
        std::enable_if_t<std::is_same_v<decltype(Source::headerOf(nullptr)), PageHeader *>>,
        std::enable_if_t<std::is_same_v<decltype(Source::findHeader(nullptr)), PageHeader *>>,
        std::enable_if_t<std::is_same_v<decltype(Source::findUsedHeader(nullptr)), PageHeader *>>,
        std::enable_if_t<std::is_same_v<decltype(Source::findNear(nullptr)), PageHeader *>>,
        std::enable_if_t<std::is_same_v<
                decltype(Source::pageOf(std::declval<const PageHeader *>())), char *>>>> = true;

template <class Source>
inline constexpr bool isPageSource = hasPages<Source> && findsPages<Source>;

template <class Pool, class = void>
inline constexpr bool isModelsPool = false;

template <class Pool>
inline constexpr bool isModelsPool<Pool, std::void_t<
        std::enable_if_t<std::is_same_v<decltype(Pool::tryAllocate(0u)), void *>>,
        std::enable_if_t<std::is_same_v<decltype(Pool::allocate(0u)), void *>>,
        decltype(Pool::deallocate(std::declval<PageHeader &>(), std::declval<void *>())),
        std::enable_if_t<std::is_same_v<
                decltype(Pool::tryDeallocate(std::declval<const PageHeader &>(),
                                             std::declval<void *>(), 0u)), bool>>,
        std::enable_if_t<std::is_same_v<decltype(Pool::isDisabled()), bool>>,
        decltype(Pool::flush()), decltype(Pool::park()), decltype(Pool::idle()),
        decltype(Pool::trim()), decltype(Pool::name())>> = true;

} // namespace Concepts

/*
    A threading model and the source of its pages. Whatever has both gets its pool, or the lock of its
    own data, from here: so there is one check that they fit, whichever class brings them together.
*/
template <class Model, class Source>
class ModelOnSource
{
    static_assert(!Model::ManyThreads || !std::is_base_of_v<NoLock, typename Source::Lock>,
                  "a pool for several threads needs a source of pages with a lock: SystemPages has one, "
                  "StaticPages takes its type as the last parameter; or use the model SingleThreaded");

public:
    template <class Layout>
    using Pool = typename Model::template Pool<Layout, Source>;

    // One thread needs none, whatever the source has.
    using Lock = std::conditional_t<Model::ManyThreads, typename Source::Lock, NoLock>;
};

QPOOL_END_NAMESPACE

#endif // QPOOLCONCEPTS_H
