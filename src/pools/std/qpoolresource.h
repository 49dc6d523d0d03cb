// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLRESOURCE_H
#define QPOOLRESOURCE_H

#include "../../allocator/core/qpoolpagechunks.h"
#include "../../allocator/pool/qpoolconcepts.h"
#include "../../allocator/models/qpoolsharedpool.h"
#include "../../allocator/models/qpoolsinglethreaded.h"
#include "../../allocator/pages/qpoolstaticpages.h"
#ifndef QPOOL_FREESTANDING
#  include "../huge/qpoolhugepages.h"
#endif
#include "../../allocator/qpoolsizeclasses.h"
#include "../../allocator/os/qpoolfailure.h"
#include "qlargeblocklist.h"
#include "qpoolclassalignment.h"
#include "qresourcepagestore.h"

#include <memory_resource>
#include <type_traits>

QPOOL_BEGIN_NAMESPACE

#ifndef QPOOL_FREESTANDING
// Where resources get pages: a program's first 8 MiB are ordinary, so that small resources stay
// small; then come transparent huge pages, of which one fault fetches 2 MiB. Pages that an
// administrator set aside are not taken unless the program requests them.
struct OrdinaryPagesFirst
{
    static constexpr bool TakesReserved = false;
    static constexpr std::size_t OrdinaryBytes = 8 * 1024 * 1024;
};
using ResourcePages = BasicHugePages<OrdinaryPagesFirst>;
#else
class ResourcePages; // no default: name a source
#endif

/*!
    \class QPool::PoolResource
    \brief A std::pmr::memory_resource of pools with pages of their own, which can be freed at once.

    \code
    QPool::PoolResource resource;
    resource.reserve(1'000'000 * 24);
    std::pmr::list<int> list(&resource);
    \endcode

    For data that belongs together and is freed together: a document, a request, a scene. Blocks of
    at most MaxPooledSize bytes, 1024, come from a pool for their size class (SizeClasses). The
    memory of a freed block is used for the next block of its class. Once all blocks of a class were
    freed, in random order, its memory is used in order again. Larger blocks are allocated
    separately, from where StdAllocator has them. Pages stay with the resource until release(), or
    until it is destroyed.

    Every block is aligned as requested, to any power of two up to 1 GiB; its size is rounded up to
    the alignment.

    allocate() and deallocate() hide those of the base class, and do the same without a virtual
    call, for callers that know the type, such as StatefulAllocator.

    Threads: one at a time, as for std::pmr::unsynchronized_pool_resource.
    BasicPoolResource<SharedPool> takes a lock around each call, and any number of threads may use
    it. Its lock is not released in the child of a fork().

    Out of memory: the new-handler is called as long as there is one, then std::bad_alloc is thrown;
    code that is compiled with -fno-exceptions aborts with a message. Nothing is lost. A page source
    without a heap, such as StaticPages, has no memory for blocks of more than MaxPooledSize.

    Hardened builds report a pointer that is not from the resource, not the start of a block, freed
    with a size of another class, or already free, and abort; release() prints on stderr what is in
    use.

    Free lists per class and fresh chunks from a pointer are an old design, also of the resources of
    std::pmr and Boost.Pool. Ours differ in where the pages come from.
*/
template <class Model = SingleThreaded, class Source = ResourcePages>
class BasicPoolResource : public std::pmr::memory_resource
{
    static_assert(std::is_same_v<Model, SingleThreaded> || std::is_same_v<Model, SharedPool>,
                  "a resource is one thread's, or behind a lock");
    using Lock = typename ModelOnSource<Model, Source>::Lock;
    using Guard = ResourceChecks<hardened>;
    static constexpr std::size_t PageSize = Source::PageSize;

public:
    static constexpr std::size_t MaxPooledSize =
            SizeClasses::MaxSize < PageSize ? SizeClasses::MaxSize : PageSize;

    //! Allocates nothing.
    BasicPoolResource() = default;
    ~BasicPoolResource() override { releaseAll("when it was destroyed"); }
    BasicPoolResource(const BasicPoolResource &) = delete;
    BasicPoolResource &operator=(const BasicPoolResource &) = delete;

    /*!
        Returns \a bytes, uninitialised and aligned to \a alignment, a power of two; never null.
    */
    [[nodiscard]] QPOOL_ALWAYS_INLINE void *
    allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t))
    {
        if (QPOOL_UNLIKELY(!isPooled(bytes, alignment)))
            return allocateLarge(bytes, alignment);
        const unsigned index = SizeClasses::anyIndexOf(rounded(bytes, alignment));
        void *chunk = tryAllocate(index);
        if (QPOOL_UNLIKELY(!chunk))
            chunk = retry(index);
        return chunk;
    }

    /*!
        Frees \a block, which allocate() returned for the same \a bytes and \a alignment.
    */
    QPOOL_ALWAYS_INLINE void deallocate(void *block, std::size_t bytes,
                                        std::size_t alignment = alignof(std::max_align_t)) noexcept
    {
        if (QPOOL_UNLIKELY(!isPooled(bytes, alignment))) {
            deallocateLarge(block);
            return;
        }
        const unsigned index = SizeClasses::anyIndexOf(rounded(bytes, alignment));
        Locker locker(m_lock);
        m_pages.guard().template freed<Source>(block, chunkSize(index));
        Track::freed(block, chunkSize(index));
        if (QPOOL_UNLIKELY(!m_classes[index].give(block, chunkSize(index))))
            beginAgainIfInDisorder(index);
    }

    /*!
        Fetches \a bytes from the system for blocks of any pooled size, in addition to what is in
        use and what was freed, so that the first writes cause no page faults. Rounded up to pages
        of 64 KiB, each of which serves one size class: a few hundred bytes of a page may be left
        over. Throws std::bad_alloc if there is not enough memory; what was fetched stays with the
        resource.
    */
    void reserve(std::size_t bytes)
    {
        if (bytes > MostBytes || !tryReserve(bytes / PageSize + (bytes % PageSize != 0)))
            Failure::outOfMemory(bytes);
    }

    //! Returns how many bytes reserve() needs for \a count blocks of \a bytes: whole pages; none if
    //! the blocks are larger than MaxPooledSize. SIZE_MAX, which reserve() refuses, if there cannot be
    //! so many.
    static constexpr std::size_t reserveBytes(std::size_t count, std::size_t bytes,
                                              std::size_t alignment) noexcept
    {
        if (count > MostBytes / (bytes > 0 ? bytes : 1))
            return SIZE_MAX;
        if (!isPooled(bytes, alignment))
            return 0;
        const std::size_t size = chunkSize(SizeClasses::indexOf(rounded(bytes, alignment)));
        const std::size_t perPage = chunksPerPage<Source>(size);
        const std::size_t pages = count / perPage + (count % perPage != 0);
        return pages > SIZE_MAX / PageSize ? SIZE_MAX : pages * PageSize;
    }

    /*!
        Frees all memory of the resource at once, whether its blocks are in use or not; blocks must
        not be used any more. The contents of containers disappear without calls of destructors.
        After this, the resource is as if new. Hardened builds print on stderr how many blocks of
        which size were in use; this is not an error.
    */
    void release() noexcept
    {
        Locker locker(m_lock);
        releaseAll("at release()");
    }

    //! Returns the memory that the resource has from the system, in bytes, in use or not.
    std::size_t heldBytes() const noexcept
    {
        Locker locker(m_lock);
        return m_pages.count() * PageSize + m_large.bytes();
    }

private:
    static_assert(sizeClassesAlign(16) && sizeClassesAlign(32) && sizeClassesAlign(64)
                  && sizeClassesAlign(128) && sizeClassesAlign(256) && sizeClassesAlign(512)
                  && sizeClassesAlign(1024), "a size rounded up to an alignment has a class with it");

    static constexpr bool isPooled(std::size_t bytes, std::size_t alignment) noexcept
    {
        // Rounding to what is no power of two could exceed the largest class; to zero, it would yield
        // nothing. Costs nothing where the alignment is a constant.
        return bytes <= MaxPooledSize && alignment - 1 < MaxPooledSize
                && (alignment & (alignment - 1)) == 0;
    }

    // A size of zero is rounded up, too.
    static constexpr std::size_t rounded(std::size_t bytes, std::size_t alignment) noexcept
    {
        return ((bytes > 0 ? bytes : 1) + alignment - 1) & ~(alignment - 1);
    }

    // Hardened builds write more into a free chunk.
    static constexpr std::size_t chunkSize(unsigned index) noexcept
    {
        const std::size_t size = SizeClasses::sizeOf(index);
        return size < sizeof(FreeChunk) ? sizeof(FreeChunk) : size;
    }

    void *do_allocate(std::size_t bytes, std::size_t alignment) override
    {
        return allocate(bytes, alignment);
    }
    void do_deallocate(void *block, std::size_t bytes, std::size_t alignment) override
    {
        deallocate(block, bytes, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override
    {
        return this == &other;
    }

    QPOOL_ALWAYS_INLINE void *tryAllocate(unsigned index) noexcept
    {
        Locker locker(m_lock);
        void *chunk = m_classes[index].take(chunkSize(index));
        if (QPOOL_UNLIKELY(!chunk)) {
            chunk = takeFromPage(index);
            if (QPOOL_UNLIKELY(!chunk))
                return nullptr;
        }
        Track::allocated(chunk, chunkSize(index));
        Guard::allocated(chunk);
        return chunk;
    }

    // Called without the lock, because a new-handler may free blocks of the resource.
    QPOOL_NEVER_INLINE void *retry(unsigned index)
    {
        return Failure::retry(chunkSize(index), [this, index] { return tryAllocate(index); });
    }

    QPOOL_NEVER_INLINE void *takeFromPage(unsigned index) noexcept
    {
        ResourceClass &of = m_classes[index];
        const std::size_t size = chunkSize(index);
        PageHeader *following = of.page ? of.page->next : nullptr;
        if (!following) {
            following = m_pages.add(of, size);
            if (!following)
                return nullptr;
        }
        if (of.page)
            of.noteTouched(Source::pageOf(of.page));
        of.enter(following, Source::pageOf(following), chunksPerPage<Source>(size), size);
        return of.take(size);
    }

    QPOOL_NEVER_INLINE void beginAgainIfInDisorder(unsigned index) noexcept
    {
        ResourceClass &of = m_classes[index];
        if (!of.isInDisorder(Source::pageOf(of.page), chunkSize(index)))
            return;
        of.noteTouched(Source::pageOf(of.page));
        of.free = nullptr;
        of.freed = 0;
        of.reverse();
        const std::size_t size = chunkSize(index);
        of.enter(of.first, Source::pageOf(of.first), chunksPerPage<Source>(size), size);
    }

    bool tryReserve(std::size_t pages) noexcept
    {
        Locker locker(m_lock);
        return m_pages.reserve(pages);
    }

    QPOOL_NEVER_INLINE void *allocateLarge(std::size_t bytes, std::size_t alignment)
    {
        if constexpr (Source::HasHeap) {
            LargeBlockList::Block *block = LargeBlockList::create(bytes, alignment);
            if (QPOOL_UNLIKELY(!block)) {
                block = static_cast<LargeBlockList::Block *>(Failure::retry(bytes, [&] {
                    return static_cast<void *>(LargeBlockList::create(bytes, alignment));
                }));
            }
            Locker locker(m_lock);
            return m_large.add(block);
        } else {
            Failure::outOfMemory(bytes);
        }
    }

    QPOOL_NEVER_INLINE void deallocateLarge([[maybe_unused]] void *memory) noexcept
    {
        if constexpr (Source::HasHeap)
            LargeBlockList::destroy(removeLarge(memory));
    }

    LargeBlockList::Block *removeLarge(void *memory) noexcept
    {
        Locker locker(m_lock);
        return m_large.remove(memory, Guard::Name);
    }

    void releaseAll([[maybe_unused]] const char *when) noexcept
    {
        if constexpr (hardened)
            nameInUse(when);
        for (ResourceClass &one : m_classes) {
            if (one.page)
                one.noteTouched(Source::pageOf(one.page));
            m_pages.release(one.first);
            one = ResourceClass();
        }
        m_pages.releaseSpare();
        m_large.clear();
    }

    void nameInUse(const char *when) const noexcept
    {
        for (unsigned index = 0; index < SizeClasses::Count; ++index) {
            const ResourceClass &of = m_classes[index];
            const std::size_t live = of.page
                    ? of.handedOut(Source::pageOf(of.page), chunkSize(index)) - of.freed : 0;
            if (live > 0) {
                Os::warn("%s: memory was still in use %s: %llu blocks of %llu bytes", Guard::Name,
                         when, static_cast<unsigned long long>(live),
                         static_cast<unsigned long long>(SizeClasses::sizeOf(index)));
            }
        }
        if (m_large.count()) {
            Os::warn("%s: memory was still in use %s: %llu larger blocks, %llu bytes in all",
                     Guard::Name, when, static_cast<unsigned long long>(m_large.count()),
                     static_cast<unsigned long long>(m_large.bytes()));
        }
    }

    ResourceClass m_classes[SizeClasses::Count];
    std::conditional_t<Source::HasHeap, LargeBlockList, NoLargeBlocks> m_large;
    mutable Lock m_lock;
    ResourcePageStore<Source> m_pages;
};

using PoolResource = BasicPoolResource<>;

QPOOL_END_NAMESPACE

#endif // QPOOLRESOURCE_H
