// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTDALLOCATOR_H
#define QPOOLSTDALLOCATOR_H

#include "qpoolblocks.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::StdAllocator
    \brief An allocator for the standard's containers that uses pools.

    \code
    std::map<int, std::string, std::less<>, QPool::StdAllocator<std::pair<const int, std::string>>> map;
    \endcode

    Stateless: all allocators are equal, whatever their types, so containers swap, splice and move
    in constant time, and a container is no larger than with std::allocator. The pools are those of
    QSizedPoolAllocator<Model, PageSource>, shared by all containers of a program.

    Blocks of at most SizeClasses::MaxSize bytes, 1024, come from the pool: nodes, and small arrays.
    Larger ones come from the global operator new, as do types with an alignment of more than 1024
    bytes. Every type is aligned as it requires.

    Blocks of at least 128 KiB come from the pages of SystemPages: an array that is built again
    causes no page faults, and its memory goes back to the system by age.
    QSizedPoolAllocator<Model>::idle() gives back a step of what is old, trim() everything that is
    free. In hardened builds, with QT_POOL_ALLOCATOR=0 in the environment, and under
    AddressSanitizer, Valgrind and heaptrack, these blocks come from operator new, too.

    Threads: \a Model defines which threads may allocate and free. With the default, any thread may,
    and a container may be passed from thread to thread, or outlive the thread that filled it. With
    SingleThreaded, one thread uses all containers with that allocator; it takes no locks and uses
    no thread-local variable.

    Out of memory: the new-handler is called as long as there is one, then std::bad_alloc is thrown;
    with a \a PageSource without a heap, for every block that is too large. For an array of more
    than PTRDIFF_MAX bytes, std::bad_array_new_length is thrown. Code that is compiled with
    -fno-exceptions aborts, and prints the reason on stderr. deallocate() never throws.

    Free memory goes back to the system as described for QPoolAllocator; a thread that waits for
    events should call QSizedPoolAllocator<Model>::idle().
*/
template <class T, class Model = MultiThreaded, class PageSource = DefaultPages>
class StdAllocator
{
    static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                  "containers of const or volatile elements have no allocator");
    // Only in functions: a container of T may be a member of T, which is incomplete then.
    template <class U = T>
    using BlocksOf = Blocks<Model, PageSource, alignof(U)>;

public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using propagate_on_container_move_assignment = std::true_type;
    using is_always_equal = std::true_type;

    // Explicit, because allocator_traits rebinds only type parameters.
    template <class U>
    struct rebind
    {
        using other = StdAllocator<U, Model, PageSource>;
    };

    constexpr StdAllocator() noexcept = default;
    template <class U>
    constexpr StdAllocator(const StdAllocator<U, Model, PageSource> &) noexcept
    {
    }

    /*!
        Returns memory for \a count objects, uninitialised and aligned for T; never null. For no objects,
        the pointer may be one that is aligned to 8 bytes only.
    */
    [[nodiscard]] QPOOL_ALWAYS_INLINE T *allocate(std::size_t count)
    {
        return static_cast<T *>(BlocksOf<>::allocate(Failure::arrayBytes<T>(count)));
    }

    /*!
        Frees \a block, which allocate(\a count) returned. Hardened builds report a \a block or a
        \a count that does not match, and abort.
    */
    QPOOL_ALWAYS_INLINE void deallocate(T *block, std::size_t count) noexcept
    {
        BlocksOf<>::deallocate(block, count * sizeof(T));
    }

    template <class U>
    friend constexpr bool operator==(const StdAllocator &,
                                     const StdAllocator<U, Model, PageSource> &) noexcept
    {
        return true;
    }
    template <class U>
    friend constexpr bool operator!=(const StdAllocator &,
                                     const StdAllocator<U, Model, PageSource> &) noexcept
    {
        return false;
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLSTDALLOCATOR_H
