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

// For code that is compiled into QtCore. Other modules do not find the allocator's headers; for them
// this header is empty.
#if __has_include("pool/qprocesspool.h")

#include "qpooldomains_p.h"

#include <QtCore/qcoreevent.h>
#include <QtCore/qobject.h>

namespace QPoolDomains {

// A pool that is out of memory or disabled returns null. The global operators then do what a program
// expects, new-handler and exception included. Their memory does not belong to the pool, nor does memory
// that code built against other headers allocated; operator delete recognises it by its address.

template <Domain domain>
QPOOL_NEVER_INLINE void *allocateSlow(std::size_t size);

template <Domain domain>
QPOOL_ALWAYS_INLINE void *allocate(std::size_t size)
{
    if (Q_LIKELY(size <= QPool::SizeClasses::MaxSize)) {
        if (void *chunk = Pools::tryAllocate(Layout::bin(domain, size)); Q_LIKELY(chunk))
            return chunk;
    }
    // A tail call, so that the fast path has no stack frame.
    return allocateSlow<domain>(size);
}

// The chunk's page knows its size class, so the size that operator delete gets is not needed. It would be
// wrong for an object that is deleted through a smaller base class without a virtual destructor.
QPOOL_ALWAYS_INLINE bool tryDeallocate(void *pointer) noexcept
{
    return Pools::deallocateIfOwned<Layout::HeapBin>(pointer);
}

// Code that does not know these operators has its objects from the global ones, and so, with the malloc front, from
// the pool's heap. They go back by the global operator, too: it may be the program's own, with a header in each block.
QPOOL_ALWAYS_INLINE void deallocate(void *pointer) noexcept
{
    if (Q_UNLIKELY(!tryDeallocate(pointer)))
        ::operator delete(pointer);
}

} // namespace QPoolDomains

// In the files of QtCore that include this, new-expressions and deleting destructors need no call: the
// size is a constant there, and so is the bin. The functions are defined and exported elsewhere, which is
// the meaning of gnu_inline.
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
