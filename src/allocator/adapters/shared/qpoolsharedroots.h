// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDROOTS_H
#define QPOOLSHAREDROOTS_H

#include "qpoolsharedheap.h"

QPOOL_BEGIN_NAMESPACE

// What is known of a root's type.
struct SharedType
{
    std::uint64_t bytes;
    std::uint64_t alignment;
    std::uint64_t hash;

    template <class T>
    static constexpr SharedType of() noexcept
    {
        return { sizeof(T), alignof(T), SharedAbi::typeHash<T>() };
    }
};

/*
    The objects in a segment that have a name: a table in the header. To be called with the lock held,
    by SharedSegment, which constructs and destroys them. While it does, the root's bit in making is
    set, and a survivor of a death finds it there and removes the root: see SharedHeap::repairRoots().
*/
class SharedRoots
{
public:
    explicit SharedRoots(SharedHeap &heap) noexcept : m_heap(heap) { }

    // The object's memory; null, and \a error says why not.
    void *find(const char *name, const SharedType &type, SharedError &error) const noexcept;

    // Memory for a new one; null, and \a error says why not. Then finish() or abandon().
    void *begin(const char *name, const SharedType &type, SharedError &error) noexcept;
    void finish(void *object) noexcept;
    void abandon(void *object) noexcept { remove(object); }

    // Before the object is destroyed, and after.
    void *beginRemoval(const char *name, const SharedType &type, SharedError &error) noexcept;
    void finishRemoval(void *object) noexcept { remove(object); }

    static bool isName(const char *name) noexcept;

private:
    int indexOf(const char *name) const noexcept;
    int indexOf(const void *object) const noexcept;
    void remove(void *object) noexcept;
    void setMaking(int index, bool making) noexcept;

    SharedHeap &m_heap;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDROOTS_H
