// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDALLOCATOR_H
#define QPOOLSHAREDALLOCATOR_H

#include "../allocator/os/qpoolfailure.h"
#include "qpoolsharedsegment.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::SharedAllocator
    \brief An allocator for the standard's containers whose memory is in a SharedSegment.

    \code
    template <class T>
    using Allocator = std::scoped_allocator_adaptor<QPool::SharedAllocator<T>>;
    using String = std::basic_string<char, std::char_traits<char>, QPool::SharedAllocator<char>>;
    using Map = std::map<String, String, std::less<>, Allocator<std::pair<const String, String>>>;

    Map *map = segment.findOrConstruct<Map>("map", Map::allocator_type(segment));
    if (!map) // no room, or it has another type: see lastError()
        return;
    map->emplace("key", "value"); // throws std::bad_alloc when the segment is full
    \endcode

    Its pointers are plain pointers. With std::scoped_allocator_adaptor, the elements of a container
    are constructed with the container's allocator; without it, the allocator has to be passed to
    each string. A container must itself be in the segment if other processes are to use it.

    An allocator holds one pointer, into the segment. Two allocators are equal if they belong to one
    segment. Moving or swapping containers moves or swaps the allocators, the copy of a container
    has the same allocator, and the target of a copy assignment keeps its own.

    allocate() throws std::bad_alloc when the segment is full or broken; new-handlers are not
    called, because they free memory elsewhere. Built without exceptions, it prints the size on
    stderr and aborts. Alignment is that of \a T, up to a page. Threads: one lock for each
    container, as usual; the allocator takes the segment's lock itself, which costs next to nothing
    if the thread already holds it.
*/
template <class T>
class SharedAllocator
{
    static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                  "containers of const or volatile elements have no allocator");

public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using propagate_on_container_copy_assignment = std::false_type;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;
    using is_always_equal = std::false_type;

    // Implicit, so that a container can be constructed with the segment itself.
    SharedAllocator(SharedSegment &segment) noexcept : m_heap(segment.heap()) { }
    template <class U>
    SharedAllocator(const SharedAllocator<U> &other) noexcept : m_heap(other.heap())
    {
    }

    [[nodiscard]] T *allocate(std::size_t count)
    {
        static_assert(alignof(T) <= SharedClasses::PageBytes, "a page is the largest alignment");
        const std::size_t bytes = Failure::arrayBytes<T>(count);
        void *const block = m_heap->allocate(bytes, alignof(T));
        if (QPOOL_UNLIKELY(!block))
            Failure::outOfMemory<Failure::throws>(bytes, "SharedAllocator: ");
        return static_cast<T *>(block);
    }

    void deallocate(T *block, std::size_t count) noexcept
    {
        m_heap->deallocate(block, count * sizeof(T), alignof(T));
    }

    SharedHeap *heap() const noexcept { return m_heap; }

    template <class U>
    friend bool operator==(const SharedAllocator &a, const SharedAllocator<U> &b) noexcept
    {
        return a.heap() == b.heap();
    }
    template <class U>
    friend bool operator!=(const SharedAllocator &a, const SharedAllocator<U> &b) noexcept
    {
        return a.heap() != b.heap();
    }

private:
    SharedHeap *m_heap;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDALLOCATOR_H
