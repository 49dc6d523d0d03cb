// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTACCESS_H
#define QOBJECTACCESS_H

#include "qpoolglobal.h"

#include <new>
#include <type_traits>
#include <utility>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::ObjectAccess
    \brief The one friend that a class with private constructors needs.

    TypedPool and ObjectCache construct and destroy through it:

    \code
    class Session
    {
        friend QPool::ObjectAccess;
        explicit Session(int id);
        ~Session();
    };
    QPool::TypedPool<Session>::create(7);
    \endcode
*/
class ObjectAccess
{
public:
    ObjectAccess() = delete;

    // Does not use T's own operator new: the memory is there already. Aggregates are initialised from values
    // with braces, because C++17 has no parentheses for them; without values, braces would need access to bases.
    template <class T, class... Args>
    static T *construct(void *memory, Args &&...args)
    {
        if constexpr (std::is_aggregate_v<T> && sizeof...(Args) > 0)
            return ::new (memory) T { std::forward<Args>(args)... };
        else
            return ::new (memory) T(std::forward<Args>(args)...);
    }

    template <class T>
    static void destroy(T &object) noexcept { object.~T(); }
};

QPOOL_END_NAMESPACE

#endif // QOBJECTACCESS_H
