// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATEFULALLOCATOR_H
#define QPOOLSTATEFULALLOCATOR_H

#include "qpoolresource.h"

QPOOL_BEGIN_NAMESPACE

// The bytes that a container of nodes has in addition to each element, in the usual
// implementations: two pointers in a list, at most as much in a hash table, four words in a tree.
enum class NodeLinks : std::size_t {
    None = 0,
    ForwardList = sizeof(void *),
    List = 2 * sizeof(void *),
    HashTable = 2 * sizeof(void *),
    Tree = 4 * sizeof(void *)
};

/*!
    \class QPool::StatefulAllocator
    \brief An allocator that takes all its memory from one PoolResource, without virtual calls.

    \code
    QPool::PoolResource resource;
    QPool::StatefulAllocator<int> allocator(resource);
    allocator.reserve(1'000'000);
    std::list<int, QPool::StatefulAllocator<int>> list(allocator);
    \endcode

    Like std::pmr::polymorphic_allocator, but the resource's class is known at compile time, so its
    fast path is inlined, and the allocator goes along with the container: it moves and swaps with
    the memory, in constant time, whatever resources are involved. The copy of a container shares
    the resource; the target of a copy assignment keeps its own. Two allocators are equal if they
    have the same resource; as usual, splice() and merge() need equal allocators.

    It holds a pointer: the resource must outlive all containers. Alignment, threads, and behaviour
    when out of memory: as for \a Resource, which is BasicPoolResource<…>.
*/
template <class T, class Resource = PoolResource>
class StatefulAllocator
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

    // Implicit, so that a container can be constructed with the resource itself.
    StatefulAllocator(Resource &resource) noexcept : m_resource(&resource) { }
    template <class U>
    StatefulAllocator(const StatefulAllocator<U, Resource> &other) noexcept
        : m_resource(&other.resource())
    {
    }

    [[nodiscard]] QPOOL_ALWAYS_INLINE T *allocate(std::size_t count)
    {
        return static_cast<T *>(m_resource->allocate(Failure::arrayBytes<T>(count), alignof(T)));
    }

    QPOOL_ALWAYS_INLINE void deallocate(T *block, std::size_t count) noexcept
    {
        m_resource->deallocate(block, count * sizeof(T), alignof(T));
    }

    /*!
        Fetches memory from the system for \a count nodes with a T each, so that filling a container
        causes no page faults. \a links is what a node has in addition to the element, by default
        that of a std::list. Calls for several sizes of node, one after the other, do not add up:
        see PoolResource::reserve(). Throws std::bad_alloc if there is not enough memory. A vector
        has a reserve() of its own.
    */
    void reserve(std::size_t count, NodeLinks links = NodeLinks::List)
    {
        constexpr std::size_t alignment = alignof(T) > alignof(void *) ? alignof(T) : alignof(void *);
        const std::size_t bytes =
                (sizeof(T) + std::size_t(links) + alignment - 1) / alignment * alignment;
        m_resource->reserve(Resource::reserveBytes(count, bytes, alignment));
    }

    Resource &resource() const noexcept { return *m_resource; }

    template <class U>
    friend bool operator==(const StatefulAllocator &a,
                           const StatefulAllocator<U, Resource> &b) noexcept
    {
        return &a.resource() == &b.resource();
    }
    template <class U>
    friend bool operator!=(const StatefulAllocator &a,
                           const StatefulAllocator<U, Resource> &b) noexcept
    {
        return &a.resource() != &b.resource();
    }

private:
    Resource *m_resource;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSTATEFULALLOCATOR_H
