// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QTYPEDPOOL_H
#define QTYPEDPOOL_H

#include "qchunkreserve.h"
#include "../../allocator/qobjectaccess.h"
#include "qobjectmemory.h"
#include "qsharedobjectallocator.h"

#include <memory>

QPOOL_BEGIN_NAMESPACE

template <class T, class Model = MultiThreaded, class PageSource = DefaultPages>
class TypedPool;

/*!
    \class QPool::TypedPoolDeleter
    \brief Deletes the objects of TypedPool<T, Model, PageSource>::makeUnique().

    \a T may be incomplete until a pointer is destroyed, so that an object can own others of its type:

    \code
    struct Node
    {
        std::unique_ptr<Node, QPool::TypedPoolDeleter<Node>> next;
    };
    \endcode
*/
template <class T, class Model = MultiThreaded, class PageSource = DefaultPages>
struct TypedPoolDeleter
{
    //! Like TypedPool::destroy() of \a object.
    void operator()(T *object) const noexcept { TypedPool<T, Model, PageSource>::destroy(object); }
};

/*!
    \class QPool::TypedPool
    \brief Creates and destroys objects of one type in a pool of chunks of its size.

    All members are static, like QPoolAllocator's: a TypedPool is a type, usable before main() and
    after it. Types of one size share a pool; a PageSource of its own, which may be an empty class
    derived from SystemPages, separates a type's objects.

    Alignment: that of \a T, up to the size of a page (64 KiB for SystemPages). Objects larger than
    a page come from the global operator new.

    Threads: \a Model defines which threads may create and destroy. reserve() is for the calling
    thread alone.

    Memory: when out of memory, create(), makeUnique() and makeShared() call the program's
    new-handler repeatedly as operator new does, and throw std::bad_alloc if there is none. Built
    without exceptions, they print the size on stderr and abort instead. tryCreate() returns null.

    If a constructor throws, nothing is left: the chunk goes back to the pool. Constructors and
    destructors may be private, with ObjectAccess as a friend.
*/
template <class T, class Model, class PageSource>
class TypedPool
{
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && !std::is_const_v<T>
                          && !std::is_volatile_v<T>,
                  "a pool is of single objects, neither const nor volatile");
    using Chosen = ObjectChunks<sizeof(T), alignof(T), Model, PageSource>;

public:
    // The underlying QPoolAllocator, with idle(), trim() and statistics(), unless T is larger than
    // a page.
    using Chunks = typename Chosen::Type;

    // What makeUnique() returns, as large as a plain pointer.
    using Deleter = TypedPoolDeleter<T, Model, PageSource>;
    using UniquePtr = std::unique_ptr<T, Deleter>;

    TypedPool() = delete;

    /*!
        Returns a new object, constructed from \a args. Throws what its constructor throws, and
        std::bad_alloc when out of memory.
    */
    template <class... Args>
    [[nodiscard]] static T *create(Args &&...args)
    {
        void *chunk = allocate();
        if (QPOOL_UNLIKELY(!chunk))
            chunk = Failure::retry(sizeof(T), &TypedPool::allocate, "TypedPool: ");
        return construct(chunk, std::forward<Args>(args)...);
    }

    /*!
        Like create() with the same \a args, but returns null when out of memory, and does not call
        the new-handler.
    */
    template <class... Args>
    [[nodiscard]] static T *tryCreate(Args &&...args)
    {
        void *chunk = allocate();
        return QPOOL_LIKELY(chunk) ? construct(chunk, std::forward<Args>(args)...) : nullptr;
    }

    /*!
        Destroys \a object, which create() or tryCreate() of this pool returned; null is ignored. A
        hardened build reports a pointer that is not from the pool, and aborts; an object that is
        destroyed twice is reported after its destructor has run again, which at level 1 crashes if it is virtual.
    */
    static void destroy(T *object) noexcept
    {
        if (QPOOL_UNLIKELY(!object))
            return;
        if constexpr (hardened && Chosen::IsPooled) {
            if (QPOOL_UNLIKELY(!Chunks::sourceContains(object)))
                Chunks::deallocate(object); // does not return
        }
        ObjectAccess::destroy(*object);
        Chunks::deallocate(object);
    }

    /*!
        Ensures that the calling thread can create \a count objects without system calls for memory
        and without page faults: the memory is allocated and touched, but no object is constructed.
        Returns whether there was enough; if not, what there was stays reserved.

        The next objects that the calling thread creates use the reserve, including those of other
        types of the same size; makeShared() does not use it. The rest goes back to the pool when
        the thread ends. The pool's statistics count reserved chunks as allocated.
    */
    static bool reserve(std::size_t count) noexcept { return Reserve::grow(count); }

    //! Returns the number of objects for which the calling thread has memory reserved.
    static std::size_t reserved() noexcept { return Reserve::count(); }

    //! Gives back to the pool what the calling thread has reserved and not used.
    static void unreserve() noexcept { Reserve::giveBack(); }

    /*!
        Returns a new object, constructed from \a args, that destroys itself. The pointer is as
        large as a plain one.
    */
    template <class... Args>
    [[nodiscard]] static UniquePtr makeUnique(Args &&...args)
    {
        return UniquePtr(create(std::forward<Args>(args)...));
    }

    /*!
        Returns a new object, constructed from \a args, with shared ownership. The object and its
        counters share one chunk, from a pool for their combined size. The last owner's thread frees
        it, which \c Model must allow; the chunk stays while there are weak pointers.
    */
    template <class... Args>
    [[nodiscard]] static std::shared_ptr<T> makeShared(Args &&...args)
    {
        return std::allocate_shared<T>(SharedObjectAllocator<T, Model, PageSource>(),
                                       std::forward<Args>(args)...);
    }

private:
    using Reserve = ChunkReserve<Chunks, sizeof(T)>;

    QPOOL_ALWAYS_INLINE static void *allocate() noexcept
    {
        if (void *chunk = Reserve::take(); QPOOL_UNLIKELY(chunk))
            return chunk;
        return Chunks::allocate();
    }

    // Frees the chunk if the constructor throws.
    class ChunkGuard
    {
    public:
        explicit ChunkGuard(void *chunk) noexcept : m_chunk(chunk) { }
        ~ChunkGuard()
        {
            if (QPOOL_UNLIKELY(m_chunk))
                Chunks::deallocate(m_chunk);
        }
        ChunkGuard(const ChunkGuard &) = delete;
        ChunkGuard &operator=(const ChunkGuard &) = delete;
        void dismiss() noexcept { m_chunk = nullptr; }

    private:
        void *m_chunk;
    };

    template <class... Args>
    QPOOL_ALWAYS_INLINE static T *construct(void *chunk, Args &&...args)
    {
        ChunkGuard guard(chunk);
        T *object = ObjectAccess::construct<T>(chunk, std::forward<Args>(args)...);
        guard.dismiss();
        return object;
    }
};

QPOOL_END_NAMESPACE

#endif // QTYPEDPOOL_H
