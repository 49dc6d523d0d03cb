// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFASTPATHS_P_H
#define QPOOLFASTPATHS_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// For what is compiled into QtCore: other modules do not find the allocator's headers, and to them
// this one is empty.
#if __has_include("pool/qprocesspool.h")

#include "qpooldomains_p.h"

#include <QtCore/qcoreevent.h>
#include <QtCore/qobject.h>

namespace QPoolDomains {

// A pool that is out of memory, or disabled, answers null; the global operators then do
// what a program expects, new-handler and exception included. What they return is foreign to
// the pool, as is all that code built against other headers allocated, and is told apart by
// its address when it comes back.

template <Domain domain>
QPOOL_NEVER_INLINE void *allocateSlow(std::size_t size);

template <Domain domain>
QPOOL_ALWAYS_INLINE void *allocate(std::size_t size)
{
    if (Q_LIKELY(size <= QPool::SizeClasses::MaxSize)) {
        if (void *chunk = Pools::tryAllocate(Layout::bin(domain, size)); Q_LIKELY(chunk))
            return chunk;
    }
    // In the position of a tail call, so that the way of most has no stack frame.
    return allocateSlow<domain>(size);
}

// The page a chunk comes from knows its class, so that the size given to operator delete is not
// needed; it is wrong where a class without a virtual destructor hides in a larger one.
QPOOL_ALWAYS_INLINE void deallocate(void *pointer) noexcept
{
    if (Q_UNLIKELY(!Pools::deallocateIfOwned(pointer)))
        ::operator delete(pointer);
}

} // namespace QPoolDomains

// In the files of QtCore that include this, new-expressions and deleting destructors need no
// call: the size is a constant there, and with it the bin. The functions themselves are defined,
// and exported, elsewhere: that is what gnu_inline means.
#if defined(Q_CC_GNU) && !defined(QPOOL_DEFINES_OPERATORS)
#  define QT_INLINE_POOL_OPERATORS(Class, domain) \
    extern inline __attribute__((gnu_inline, always_inline)) \
    void *Class::operator new(std::size_t size) \
    { return QPoolDomains::allocate<QPoolDomains::domain>(size); } \
    extern inline __attribute__((gnu_inline, always_inline)) \
    void Class::operator delete(void *pointer, std::size_t) noexcept \
    { QPoolDomains::deallocate(pointer); }

QT_BEGIN_NAMESPACE

QT_INLINE_POOL_OPERATORS(QEvent, Event)
QT_INLINE_POOL_OPERATORS(QObject, Object)
QT_INLINE_POOL_OPERATORS(QObjectData, Private)

QT_END_NAMESPACE

#  undef QT_INLINE_POOL_OPERATORS
#endif

#endif // __has_include("pool/qprocesspool.h")

#endif // QPOOLFASTPATHS_P_H
