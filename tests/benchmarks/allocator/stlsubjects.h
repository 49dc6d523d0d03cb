// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef STLSUBJECTS_H
#define STLSUBJECTS_H

#include "pools/std/qpoolstatefulallocator.h"
#include "pools/std/qpoolstdallocator.h"

#include <cstring>
#include <memory_resource>

#include <sys/mman.h>

#if __has_include(<boost/pool/pool_alloc.hpp>)
#  include <boost/pool/pool_alloc.hpp>
#  define BENCH_HAS_BOOST_POOL 1
#endif
#ifdef BENCH_HAS_FOONATHAN
#  include <foonathan/memory/container.hpp>
#  include <foonathan/memory/memory_pool.hpp>
#  include <foonathan/memory/std_allocator.hpp>
#endif

namespace Bench {

// The sources of nodes for the standard's containers. Each has an Allocator for any type, get() for
// one, reserve() for a number of nodes of a size, and rewind(), which is called while no block is
// in use.

struct StdSubject
{
    template <class T>
    using Allocator = std::allocator<T>;
    template <class T>
    Allocator<T> get() { return {}; }
    void reserve(std::size_t, std::size_t) { }
    void rewind() { }
};

struct StdAllocatorSubject : StdSubject
{
    template <class T>
    using Allocator = QPool::StdAllocator<T>;
    template <class T>
    Allocator<T> get() { return {}; }
};

struct StatefulSubject
{
    template <class T>
    using Allocator = QPool::StatefulAllocator<T>;
    template <class T>
    Allocator<T> get() { return resource; }
    void reserve(std::size_t count, std::size_t bytes)
    {
        resource.reserve(QPool::PoolResource::reserveBytes(count, bytes, alignof(void *)));
    }
    void rewind() { }

    QPool::PoolResource resource;
};

struct PmrSubject
{
    template <class T>
    using Allocator = std::pmr::polymorphic_allocator<T>;
    template <class T>
    Allocator<T> get() { return &resource; }
    void reserve(std::size_t, std::size_t) { }
    void rewind() { }

    std::pmr::unsynchronized_pool_resource resource;
};

#ifdef BENCH_HAS_BOOST_POOL
// Without a lock, as one thread would have it.
struct BoostSubject : StdSubject
{
    template <class T>
    using Allocator = boost::fast_pool_allocator<T, boost::default_user_allocator_new_delete,
                                                 boost::details::pool::null_mutex>;
    template <class T>
    Allocator<T> get() { return {}; }
};
#endif

#ifdef BENCH_HAS_FOONATHAN
// For nodes of the size of Node, which is known in advance.
template <std::size_t Node>
struct FoonathanSubject
{
    using Pool = foonathan::memory::memory_pool<>;
    template <class T>
    using Allocator = foonathan::memory::std_allocator<T, Pool>;
    template <class T>
    Allocator<T> get() { return Allocator<T>(pool); }
    void reserve(std::size_t, std::size_t) { }
    void rewind() { }

    Pool pool { Node, 64 * 1024 };
};
#endif

// The floor: a bump pointer over memory that is fresh, or was touched by rewind() or reserve().
struct BumpSubject
{
    static constexpr std::size_t Room = std::size_t(256) << 20;

    template <class T>
    struct Allocator
    {
        using value_type = T;
        explicit Allocator(BumpSubject *subject) : subject(subject) { }
        template <class U>
        Allocator(const Allocator<U> &other) : subject(other.subject)
        {
        }
        T *allocate(std::size_t count)
        {
            char *block = subject->next;
            subject->next += (count * sizeof(T) + 7) & ~std::size_t(7);
            return reinterpret_cast<T *>(block);
        }
        void deallocate(T *, std::size_t) { }
        bool operator==(const Allocator &other) const { return subject == other.subject; }
        bool operator!=(const Allocator &other) const { return subject != other.subject; }

        BumpSubject *subject;
    };

    BumpSubject()
        : begin(static_cast<char *>(mmap(nullptr, Room, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)))
        , next(begin)
    {
    }
    ~BumpSubject() { munmap(begin, Room); }
    BumpSubject(const BumpSubject &) = delete;
    BumpSubject &operator=(const BumpSubject &) = delete;

    template <class T>
    Allocator<T> get() { return Allocator<T>(this); }
    void reserve(std::size_t count, std::size_t bytes) { std::memset(begin, 1, count * bytes); }
    void rewind() { next = begin; }

    char *begin;
    char *next;
};

} // namespace Bench

#endif // STLSUBJECTS_H
