// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Types that the compiler must refuse, of every class that has such parameters, or, with PERMITTED,
// similar ones that it must not. The number of messages is checked, so each type is refused once.

#include "pools/objects/qtypedpool.h"
#include "pools/std/qcachelineallocator.h"
#include "pools/std/qpoolstatefulallocator.h"
#include "pools/std/qpoolstdallocator.h"
#include "pool/qlistedpoolallocator.h"

using namespace QPool;

#ifdef REFUSED_THREADS

// Several threads, and pages without a lock: 7 classes with 3 models each, and 2 with one.

#ifdef PERMITTED
using LockType = Mutex;
#else
using LockType = NoLock;
#endif

template <class, class>
struct Tag;
// Each user has a source of its own, so that the compiler complains of each.
template <class Model, template <class...> class User>
struct Pages : StaticPages<1024 * 1024, Tag<Model, Pages<Model, User>>, 64 * 1024, LockType>
{
};

template <class Model, class PageSource>
struct One
{
    static void use() { QPoolAllocator<48, Model, PageSource>::deallocate(nullptr); }
};
template <class Model, class PageSource>
struct Sized
{
    static void use() { QSizedPoolAllocator<Model, PageSource>::deallocate(nullptr); }
};
template <class Model, class PageSource>
struct Listed
{
    static void use()
    {
        QListedPoolAllocator<ListedSizes<16, 48>, Model, PageSource>::deallocate(nullptr);
    }
};
template <class Model, class PageSource>
struct Typed
{
    static void use() { TypedPool<int, Model, PageSource>::destroy(nullptr); }
};
template <class Model, class PageSource>
struct Shared
{
    static void use() { static_cast<void>(TypedPool<long, Model, PageSource>::makeShared(1)); }
};
template <class Model, class PageSource>
struct Std
{
    static void use() { StdAllocator<int, Model, PageSource>().deallocate(nullptr, 1); }
};
template <class Model, class PageSource>
struct CacheLine
{
    static void use() { CacheLineAllocator<int, 1, Model, PageSource>().deallocate(nullptr, 1); }
};
template <class Model, class PageSource>
struct Resource
{
    static void use() { BasicPoolResource<Model, PageSource>().release(); }
};
template <class Model, class PageSource>
struct Stateful
{
    static void use()
    {
        BasicPoolResource<Model, PageSource> resource;
        StatefulAllocator<int, BasicPoolResource<Model, PageSource>>(resource).deallocate(nullptr, 1);
    }
};

template <template <class...> class User, class... Models>
void useAll()
{
    (User<Models, Pages<Models, User>>::use(), ...);
}

void use()
{
    useAll<One, MultiThreaded, MultiPool, SharedPool>();
    useAll<Sized, MultiThreaded, MultiPool, SharedPool>();
    useAll<Listed, MultiThreaded, MultiPool, SharedPool>();
    useAll<Typed, MultiThreaded, MultiPool, SharedPool>();
    useAll<Shared, MultiThreaded, MultiPool, SharedPool>();
    useAll<Std, MultiThreaded, MultiPool, SharedPool>();
    useAll<CacheLine, MultiThreaded, MultiPool, SharedPool>();
    useAll<Resource, SharedPool>();
    useAll<Stateful, SharedPool>();
#ifdef PERMITTED
    // One thread needs no lock.
    using Own = StaticPages<256 * 1024>;
    One<SingleThreaded, Own>::use();
    Resource<SingleThreaded, Own>::use();
#endif
}

#endif // REFUSED_THREADS

#ifdef REFUSED_CHUNKS

// Chunks that do not fit a page, even if their size wraps when it is rounded up.

#ifdef PERMITTED
template class QPool::QPoolAllocator<SystemPages::PageSize>;
#else
template class QPool::QPoolAllocator<SystemPages::PageSize + 1>;
template class QPool::QPoolAllocator<PTRDIFF_MAX>;
template class QPool::QPoolAllocator<SIZE_MAX - 7>;
template class QPool::QPoolAllocator<SIZE_MAX>;
#endif

#endif // REFUSED_CHUNKS

#ifdef REFUSED_LINES

// Alignments that are no power of two, or that wrap.

#ifdef PERMITTED
template class QPool::CacheLineAllocator<int, 16>;
#else
template class QPool::CacheLineAllocator<int, 0>;
template class QPool::CacheLineAllocator<int, 3>;
template class QPool::CacheLineAllocator<int, (SIZE_MAX / CacheLineSize + 1)>;
template class QPool::CacheLineAllocator<int, SIZE_MAX>;
#endif

#endif // REFUSED_LINES
