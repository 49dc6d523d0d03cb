// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOPERATORS_H
#define QPOOLOPERATORS_H

#if 0
#pragma qt_sync_skip_header_check
#pragma qt_sync_stop_processing
#endif

#include <QtCore/qglobal.h>
#include <QtCore/qpoolmark.h>

#include <cstddef>
#include <new>

// Every form that the language looks up must be declared in the class: one operator new of a class hides
// all global ones, and without the std::align_val_t forms an over-aligned subclass would silently be
// under-aligned. For operator delete only the sized form is declared, because the unsized one would take
// precedence. With alignment only the unsized form is declared: when the constructor of an over-aligned
// class throws, GCC and Clang look for the form without a size, and leak the memory if only the sized
// form exists.
#define QT_DECLARE_POOL_OPERATORS \
    static void *operator new(std::size_t size); \
    static void *operator new(std::size_t size, const std::nothrow_t &) noexcept; \
    static void *operator new(std::size_t size, std::align_val_t alignment); \
    static void *operator new(std::size_t size, std::align_val_t alignment, \
                              const std::nothrow_t &) noexcept; \
    static void *operator new(std::size_t, void *where) noexcept { return where; } \
    static void operator delete(void *pointer, std::size_t size) noexcept; \
    static void operator delete(void *pointer, std::align_val_t alignment) noexcept; \
    static void operator delete(void *pointer, const std::nothrow_t &) noexcept; \
    static void operator delete(void *pointer, std::align_val_t alignment, \
                                const std::nothrow_t &) noexcept; \
    static void operator delete(void *, void *) noexcept { }

// Plain C, so that a program built against a QtCore without the pool can look them up at run time. All
// are thread-safe, and documented where they are defined.
extern "C" {
Q_CORE_EXPORT std::size_t qt_pool_allocator_snapshot(char *buffer, std::size_t size);
Q_CORE_EXPORT bool qt_pool_allocator_owns(const void *pointer) noexcept;
Q_CORE_EXPORT bool qt_pool_allocator_release(void *pointer) noexcept;
Q_CORE_EXPORT void qt_pool_allocator_trim(void) noexcept;
Q_CORE_EXPORT int qt_pool_allocator_idle(void) noexcept;
}

#endif // QPOOLOPERATORS_H
