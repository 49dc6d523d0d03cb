// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATEFULALLOCATOR_H
#define QPOOLSTATEFULALLOCATOR_H

#include "qpoolresource.h"

QPOOL_BEGIN_NAMESPACE

// What a container of nodes keeps beside each element, in bytes, in the usual implementations: two
// pointers in a list, in a hash table at most as much, four words in a tree.
enum class NodeLinks : std::size_t {
    None = 0,
    ForwardList = sizeof(void *),
    List = 2 * sizeof(void *),
    HashTable = 2 * sizeof(void *),
    Tree = 4 * sizeof(void *)
};

/*!
    \class QPool::StatefulAllocator
    \brief An allocator that takes all memory from one PoolResource, without virtual calls.

    \code
    QPool::PoolResource resource;
    QPool::StatefulAllocator<int> allocator(resource);
    allocator.reserve(1'000'000);
    std::list<int, QPool::StatefulAllocator<int>> list(allocator);
    \endcode

    As std::pmr::polymorphic_allocator, but the resource's class is known when the code is compiled,
    so its fast path is inlined, and it says with a container where it goes: the allocator moves and
    swaps with the memory, in constant time, whatever resources are involved. By copying a container
    its copy shares the resource, and by assigning a copy the target keeps its own. Two allocators are
    equal if they have the same resource; splice() and merge() are for those alone, as ever.

    It holds a pointer: the resource must outlive all containers. Alignment, threads, and what happens
    when memory is out: as \a Resource, which is BasicPoolResource<…>.
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

    // Implicit, so that a container can be made with the resource itself.
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
        Sees to it that there is memory for \a count nodes with a T each, which was fetched from the
        system already: filling a container costs no page faults. \a links says what a node has
        beside the element, by default what one of a std::list has. For whom one size of node after
        the other is reserved, the calls do not add up: see PoolResource::reserve(). Throws
        std::bad_alloc when there is not as much. A vector has a reserve() of its own.
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
