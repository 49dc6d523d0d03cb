// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COUNTEDTYPES_H
#define COUNTEDTYPES_H

#include "../shared/pool.h"

#include <map>

// A count of the calls of operator new and delete, made before the pool hears of them.
struct OperatorCalls
{
    struct Count
    {
        qint64 allocated = 0;
        qint64 freed = 0;
    };
    // By size, separately for events and objects.
    static inline std::map<std::size_t, Count> events;
    static inline std::map<std::size_t, Count> objects;
};

template <class Base, std::map<std::size_t, OperatorCalls::Count> &counts>
struct Counted : Base
{
    using Base::Base;

    // Not inlined, for GCC would take the call of another operator in it for a mistake.
    Q_NEVER_INLINE static void *operator new(std::size_t size)
    {
        ++counts[size].allocated;
        return Base::operator new(size);
    }

    Q_NEVER_INLINE static void operator delete(void *pointer, std::size_t size) noexcept
    {
        ++counts[size].freed;
        Base::operator delete(pointer, size);
    }
};

template <std::size_t Size>
using CountedEvent = Counted<SizedEvent<Size>, OperatorCalls::events>;
template <std::size_t Size>
using CountedObject = Counted<SizedObject<Size>, OperatorCalls::objects>;

#endif // COUNTEDTYPES_H
