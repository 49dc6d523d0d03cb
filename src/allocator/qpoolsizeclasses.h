// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSIZECLASSES_H
#define QPOOLSIZECLASSES_H

#include "qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

// The sizes of QtCore's and of C++ programs' pools. The malloc front has its own in qpoolheapclasses.h, and
// shared memory in src/sharedmemory/qpoolsharedclasses.h.

/*
    The class of each size, for sizes that are not known at compile time: one load instead of
    branches. \a Classes provides MaxSize; Step, of which all its sizes are multiples; and
    indexOf().
*/
template <class Classes>
struct ClassIndices
{
    constexpr ClassIndices() noexcept
    {
        for (std::size_t i = 0; i <= Classes::MaxSize / Classes::Step; ++i)
            of[i] = std::uint8_t(Classes::indexOf(i * Classes::Step));
    }

    std::uint8_t of[Classes::MaxSize / Classes::Step + 1] = {};
};

template <class Classes>
inline constexpr ClassIndices<Classes> classIndices {};

// What follows from indexOf() and sizeOf() of \a Classes.
template <class Classes>
struct ClassTable
{
    // indexOf(), for sizes that may not be known at compile time.
    QPOOL_ALWAYS_INLINE static unsigned anyIndexOf(std::size_t size) noexcept
    {
#ifdef __GNUC__
        if (__builtin_constant_p(size))
            return Classes::indexOf(size);
#endif
        return classIndices<Classes>.of[(size + Classes::Step - 1) / Classes::Step];
    }

    static constexpr std::size_t alignmentOf(unsigned index) noexcept
    {
        const std::size_t size = Classes::sizeOf(index);
        return size & (~size + 1);
    }

protected:
    // With \a steps per doubling, from \a first on.
    static constexpr std::size_t stepped(unsigned index, unsigned steps, std::size_t first) noexcept
    {
        const std::size_t start = first << index / steps;
        return start + (index % steps + 1) * (start / steps);
    }
};

/*!
    \class QPool::SizeClasses
    \brief The size classes of the sized front and of Qt's events and objects, in bytes.

    Steps of 8 up to 128, the range of events and objects, where a type's size is its class; then
    four steps per doubling, up to 1024. A block whose size is exactly that of its class is aligned
    to the lowest set bit of its size. Every type is therefore aligned up to 64 bytes: its size is a
    multiple of its alignment, and a larger class is a multiple of every power of two, up to 64,
    that divides a size it serves.
*/
struct SizeClasses : ClassTable<SizeClasses>
{
    static constexpr unsigned Count = 28;
    static constexpr std::size_t MaxSize = 1024;
    static constexpr std::size_t Step = 8;

    // \a size is at most MaxSize; 0 counts as the smallest class.
    static constexpr unsigned indexOf(std::size_t size) noexcept
    {
        if (size <= 128)
            return size == 0 ? 0 : unsigned((size - 1) / 8);
        if (size <= 256)
            return 16 + unsigned((size - 129) / 32);
        if (size <= 512)
            return 20 + unsigned((size - 257) / 64);
        return 24 + unsigned((size - 513) / 128);
    }

    static constexpr std::size_t sizeOf(unsigned index) noexcept
    {
        return index < 16 ? (std::size_t(index) + 1) * 8 : stepped(index - 16, 4, 128);
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLSIZECLASSES_H
