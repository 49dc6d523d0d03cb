// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#define QPOOL_DEFINES_OPERATORS
#include "qpoolfastpaths_p.h"

#include <QtCore/qcoreevent.h>
#include <QtCore/qobject.h>
#include <QtCore/qpoolslotoperators.h>


using namespace QPoolDomains;

namespace QPoolDomains {

template <Domain domain>
void *allocateSlow(std::size_t size)
{
    if (Q_LIKELY(size <= QPool::SizeClasses::MaxSize)) {
        if (void *chunk = Pools::allocate(Layout::bin(domain, size)); Q_LIKELY(chunk))
            return chunk;
    }
    return ::operator new(size);
}

template void *allocateSlow<Event>(std::size_t);
template void *allocateSlow<Object>(std::size_t);
template void *allocateSlow<Private>(std::size_t);

} // namespace QPoolDomains

namespace {

template <Domain domain>
void *allocate(std::size_t size, const std::nothrow_t &) noexcept
{
    if (size <= QPool::SizeClasses::MaxSize) {
        if (void *chunk = Pools::allocate(Layout::bin(domain, size)))
            return chunk;
    }
    return ::operator new(size, std::nothrow);
}

template <Domain domain>
inline void *pooled(std::size_t size, std::align_val_t alignment) noexcept
{
    if (size > QPool::SizeClasses::MaxSize)
        return nullptr;
    const unsigned index = QPool::SizeClasses::indexOf(size);
    if (QPool::SizeClasses::alignmentOf(index) < std::size_t(alignment))
        return nullptr;
    return Pools::allocate(Layout::bin(domain, size));
}

template <Domain domain>
void *allocate(std::size_t size, std::align_val_t alignment)
{
    if (void *chunk = pooled<domain>(size, alignment))
        return chunk;
    return ::operator new(size, alignment);
}

template <Domain domain>
void *allocate(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept
{
    if (void *chunk = pooled<domain>(size, alignment))
        return chunk;
    return ::operator new(size, alignment, std::nothrow);
}

void deallocate(void *pointer, std::align_val_t alignment) noexcept
{
    if (!tryDeallocate(pointer))
        ::operator delete(pointer, alignment);
}

} // namespace

QT_BEGIN_NAMESPACE

#define QT_DEFINE_POOL_OPERATORS(Class, domain) \
    void *Class::operator new(std::size_t size) \
    { return allocate<domain>(size); } \
    void *Class::operator new(std::size_t size, const std::nothrow_t &tag) noexcept \
    { return allocate<domain>(size, tag); } \
    void *Class::operator new(std::size_t size, std::align_val_t alignment) \
    { return allocate<domain>(size, alignment); } \
    void *Class::operator new(std::size_t size, std::align_val_t alignment, \
                              const std::nothrow_t &tag) noexcept \
    { return allocate<domain>(size, alignment, tag); } \
    void Class::operator delete(void *pointer, std::size_t) noexcept \
    { deallocate(pointer); } \
    void Class::operator delete(void *pointer, std::align_val_t alignment) noexcept \
    { deallocate(pointer, alignment); } \
    void Class::operator delete(void *pointer, const std::nothrow_t &) noexcept \
    { deallocate(pointer); } \
    void Class::operator delete(void *pointer, std::align_val_t alignment, \
                                const std::nothrow_t &) noexcept \
    { deallocate(pointer, alignment); }

QT_DEFINE_POOL_OPERATORS(QEvent, Event)
QT_DEFINE_POOL_OPERATORS(QObject, Object)
QT_DEFINE_POOL_OPERATORS(QObjectData, Private)
QT_DEFINE_POOL_OPERATORS(QPoolSlotMemory, Private)

QT_END_NAMESPACE

/*!
    Returns whether \a pointer points into the pool's pages for these classes. Any thread, any pointer.
*/
bool qt_pool_allocator_owns(const void *pointer) noexcept
{
    return Pools::isOfFirst(pointer, Layout::HeapBin);
}

/*!
    If an operator new of these classes allocated \a pointer from the pool, frees it and returns true; otherwise
    returns false. The object must be destroyed. For code that cannot name the class whose operator delete it
    should call.
*/
bool qt_pool_allocator_release(void *pointer) noexcept
{
    return tryDeallocate(pointer);
}

/*!
    Returns free memory to the system: that of the calling thread, and that which no thread owns.
*/
void qt_pool_allocator_trim(void) noexcept
{
    Pools::trim();
}

/*!
    The event dispatchers and the workers of QThreadPool call this before they block. Returns the thread's
    pending remote frees to their owners, collects the chunks that other threads freed, and gives memory
    that nobody needed for a while back to the system, in a step of bounded length.

    Returns 0 if there is more to give back: the thread should look for work and call this again. Otherwise
    it may wait: for as long as it likes if the result is -1, or for that many milliseconds, after which
    there may be memory to give back.
*/
int qt_pool_allocator_idle(void) noexcept
{
    return Pools::idle();
}
