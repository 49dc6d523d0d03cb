// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDROOTS_H
#define QPOOLSHAREDROOTS_H

#include "qpoolsharedheap.h"

QPOOL_BEGIN_NAMESPACE

// What identifies a root's type.
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
    The named objects in a segment: a table in the header. SharedSegment calls it with the lock
    held, and constructs and destroys the objects. Meanwhile, the root's bit in making is set, and a
    survivor of a death finds it there and removes the root: see SharedHeap::repairRoots().
*/
class SharedRoots
{
public:
    explicit SharedRoots(SharedHeap &heap) noexcept : m_heap(heap) { }

    // Returns the object's memory, or null and the reason in \a error.
    void *find(const char *name, const SharedType &type, SharedError &error) const noexcept;

    // Returns memory for a new object, or null and the reason in \a error. Followed by finish() or
    // abandon().
    void *begin(const char *name, const SharedType &type, SharedError &error) noexcept;
    void finish(void *object) noexcept;
    void abandon(void *object) noexcept { remove(object); }

    // Called before the object is destroyed, and after.
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
