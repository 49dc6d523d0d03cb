// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// Every global operator new and delete. The C++ library is not linked: a program that calls these
// has it, and a C program into which this library is loaded does not need it.
//
// A program may replace some of them and leave others, which C++ then defines in terms of the
// replaced ones: sized ones by unsized ones, non-throwing ones by throwing ones, arrays by single
// objects. So the derived operators check whether their bases are still this library's.

#include "qpoolheap.h"
#include "qpoolnewfailures.h"
#include "qpoolweakexceptions.h"

#include <new>

using namespace QPool;

// The operators by which the others are defined. Their exported names may belong to another
// library.
extern "C" {
QPOOL_HIDDEN void *qpool_new(std::size_t size);
QPOOL_HIDDEN void *qpool_new_aligned(std::size_t size, std::align_val_t alignment);
QPOOL_HIDDEN void *qpool_new_array(std::size_t size);
QPOOL_HIDDEN void *qpool_new_array_aligned(std::size_t size, std::align_val_t alignment);
QPOOL_HIDDEN void qpool_delete(void *block) noexcept;
QPOOL_HIDDEN void qpool_delete_aligned(void *block, std::align_val_t alignment) noexcept;
QPOOL_HIDDEN void qpool_delete_array(void *block) noexcept;
QPOOL_HIDDEN void qpool_delete_array_aligned(void *block, std::align_val_t alignment) noexcept;
}

using New = void *(std::size_t);
using NewAligned = void *(std::size_t, std::align_val_t);
using Delete = void(void *) noexcept;
using DeleteAligned = void(void *, std::align_val_t) noexcept;

// Whether the dynamic linker bound the name to our \a own operator: a load and a comparison. The
// compiler sees that one is an alias of the other, and must not conclude that it did.
template <class Operator>
QPOOL_ALWAYS_INLINE static bool isOurs(Operator *found, Operator *own) noexcept
{
    __asm__("" : "+r"(found));
    return QPOOL_LIKELY(found == own);
}

// What this library's operators do while their bases are not replaced. \a rest is their other
// arguments.
template <class... Rest>
QPOOL_ALWAYS_INLINE static void *allocate(std::size_t size, const Rest &...rest)
{
    if (void *block = Heap::allocate(size); QPOOL_LIKELY(block))
        return block;
    return NewFailure::allocate(size, rest...);
}

template <class... Rest>
QPOOL_ALWAYS_INLINE static void *allocate(std::size_t size, std::align_val_t alignment,
                                          const Rest &...rest)
{
    if (void *block = Heap::allocateAligned(std::size_t(alignment), size); QPOOL_LIKELY(block))
        return block;
    return NewFailure::allocate(size, alignment, rest...);
}

// The bases.

extern "C" {

void *qpool_new(std::size_t size)
{
    return allocate(size);
}

void *qpool_new_aligned(std::size_t size, std::align_val_t alignment)
{
    return allocate(size, alignment);
}

void qpool_delete(void *block) noexcept
{
    Heap::deallocate(block);
}

void qpool_delete_aligned(void *block, std::align_val_t) noexcept
{
    Heap::deallocate(block);
}

} // extern "C"

QPOOL_ALIAS(qpool_new) void *operator new(std::size_t size);
QPOOL_ALIAS(qpool_new_aligned) void *operator new(std::size_t size, std::align_val_t alignment);
QPOOL_ALIAS(qpool_delete) void operator delete(void *block) noexcept;
QPOOL_ALIAS(qpool_delete_aligned) void operator delete(void *block, std::align_val_t) noexcept;

// What the operators do that are derived from operator delete.

QPOOL_ALWAYS_INLINE static void deallocate(void *block) noexcept
{
    if (isOurs<Delete>(&operator delete, &qpool_delete))
        Heap::deallocate(block);
    else
        operator delete(block);
}

QPOOL_ALWAYS_INLINE static void deallocate(void *block, std::align_val_t alignment) noexcept
{
    if (isOurs<DeleteAligned>(&operator delete, &qpool_delete_aligned))
        Heap::deallocate(block);
    else
        operator delete(block, alignment);
}

// The array operators that are bases as well.

extern "C" {

void *qpool_new_array(std::size_t size)
{
    return isOurs<New>(&operator new, &qpool_new) ? allocate(size) : operator new(size);
}

void *qpool_new_array_aligned(std::size_t size, std::align_val_t alignment)
{
    return isOurs<NewAligned>(&operator new, &qpool_new_aligned) ? allocate(size, alignment)
                                                                 : operator new(size, alignment);
}

void qpool_delete_array(void *block) noexcept
{
    deallocate(block);
}

void qpool_delete_array_aligned(void *block, std::align_val_t alignment) noexcept
{
    deallocate(block, alignment);
}

} // extern "C"

QPOOL_ALIAS(qpool_new_array) void *operator new[](std::size_t size);
QPOOL_ALIAS(qpool_new_array_aligned) void *operator new[](std::size_t, std::align_val_t);
QPOOL_ALIAS(qpool_delete_array) void operator delete[](void *block) noexcept;
QPOOL_ALIAS(qpool_delete_array_aligned) void operator delete[](void *, std::align_val_t) noexcept;

// The operators derived from them: single objects from one base, arrays from two.

template <class Operator>
QPOOL_ALWAYS_INLINE static bool areOurs(Operator *array, Operator *ownArray, Operator *single,
                                        Operator *own) noexcept
{
    return isOurs(array, ownArray) && isOurs(single, own);
}

QPOOL_EXPORT void *operator new(std::size_t size, const std::nothrow_t &tag) noexcept
{
    if (isOurs<New>(&operator new, &qpool_new))
        return allocate(size, tag);
    return NewFailure::callOrNull(&operator new, size);
}

QPOOL_EXPORT void *operator new(std::size_t size, std::align_val_t alignment,
                                const std::nothrow_t &tag) noexcept
{
    if (isOurs<NewAligned>(&operator new, &qpool_new_aligned))
        return allocate(size, alignment, tag);
    return NewFailure::callOrNull(&operator new, size, alignment);
}

QPOOL_EXPORT void *operator new[](std::size_t size, const std::nothrow_t &tag) noexcept
{
    if (areOurs<New>(&operator new[], &qpool_new_array, &operator new, &qpool_new))
        return allocate(size, tag);
    return NewFailure::callOrNull(&operator new[], size);
}

QPOOL_EXPORT void *operator new[](std::size_t size, std::align_val_t alignment,
                                  const std::nothrow_t &tag) noexcept
{
    if (areOurs<NewAligned>(&operator new[], &qpool_new_array_aligned, &operator new,
                            &qpool_new_aligned)) {
        return allocate(size, alignment, tag);
    }
    return NewFailure::callOrNull(&operator new[], size, alignment);
}

QPOOL_ALWAYS_INLINE static void deallocateArray(void *block) noexcept
{
    if (areOurs<Delete>(&operator delete[], &qpool_delete_array, &operator delete, &qpool_delete))
        Heap::deallocate(block);
    else
        operator delete[](block);
}

QPOOL_ALWAYS_INLINE static void deallocateArray(void *block, std::align_val_t alignment) noexcept
{
    if (areOurs<DeleteAligned>(&operator delete[], &qpool_delete_array_aligned, &operator delete,
                               &qpool_delete_aligned)) {
        Heap::deallocate(block);
    } else {
        operator delete[](block, alignment);
    }
}

#define QPOOL_DEFINE_DELETES(Delete, deallocate) \
    QPOOL_EXPORT void Delete(void *block, std::size_t) noexcept { deallocate(block); } \
    QPOOL_EXPORT void Delete(void *block, const std::nothrow_t &) noexcept { deallocate(block); } \
    QPOOL_EXPORT void Delete(void *block, std::size_t, std::align_val_t alignment) noexcept \
    { deallocate(block, alignment); } \
    QPOOL_EXPORT void Delete(void *block, std::align_val_t alignment, \
                             const std::nothrow_t &) noexcept \
    { deallocate(block, alignment); }

QPOOL_DEFINE_DELETES(operator delete, deallocate)
QPOOL_DEFINE_DELETES(operator delete[], deallocateArray)
