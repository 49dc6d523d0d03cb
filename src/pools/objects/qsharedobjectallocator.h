// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QSHAREDOBJECTALLOCATOR_H
#define QSHAREDOBJECTALLOCATOR_H

#include "../../allocator/qobjectaccess.h"
#include "qobjectmemory.h"

QPOOL_BEGIN_NAMESPACE

// For std::allocate_shared(), which rebinds it to a type of its own that contains the object and
// its counters: so both are in one chunk, of that type's size. It allocates one at a time.
template <class T, class Model, class PageSource>
class SharedObjectAllocator
{
    // Only here, because T may be incomplete before.
    template <class Block>
    using Chunks = typename ObjectChunks<sizeof(Block), alignof(Block), Model, PageSource>::Type;

public:
    using value_type = T;
    template <class U>
    struct rebind
    {
        using other = SharedObjectAllocator<U, Model, PageSource>;
    };

    SharedObjectAllocator() = default;
    template <class U>
    SharedObjectAllocator(const SharedObjectAllocator<U, Model, PageSource> &) noexcept { }

    T *allocate(std::size_t)
    {
        return static_cast<T *>(Failure::retry(sizeof(T), &Chunks<T>::allocate, "TypedPool: "));
    }
    void deallocate(T *block, std::size_t) noexcept { Chunks<T>::deallocate(block); }

    template <class U, class... Args>
    void construct(U *place, Args &&...args)
    {
        ObjectAccess::construct<U>(place, std::forward<Args>(args)...);
    }
    template <class U>
    void destroy(U *object) noexcept { ObjectAccess::destroy(*object); }

    friend bool operator==(const SharedObjectAllocator &, const SharedObjectAllocator &) noexcept
    {
        return true;
    }
    friend bool operator!=(const SharedObjectAllocator &, const SharedObjectAllocator &) noexcept
    {
        return false;
    }
};

QPOOL_END_NAMESPACE

#endif // QSHAREDOBJECTALLOCATOR_H
