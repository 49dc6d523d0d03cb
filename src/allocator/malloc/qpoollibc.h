// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLIBC_H
#define QPOOLLIBC_H

#include "../qpoolglobal.h"

#include <cstdio>

#include <malloc.h>

// A function of this library, and its exported name, which may belong to another library.
#define QPOOL_HIDDEN __attribute__((visibility("hidden")))
#define QPOOL_ALIAS(name) QPOOL_EXPORT __attribute__((alias(#name)))

extern "C" {
QPOOL_HIDDEN void qpool_free(void *block) noexcept;
QPOOL_HIDDEN void *qpool_realloc(void *block, std::size_t size) noexcept;
QPOOL_HIDDEN std::size_t qpool_usable_size(void *block) noexcept;
}

QPOOL_BEGIN_NAMESPACE

/*
    The C library's own functions, which the functions of the same names here interpose: for blocks
    that are too large for the pool, or for which it has no memory. glibc exports most of them by
    other names, too, which no library replaces. The others are looked up after this library.
*/
namespace LibC {

extern "C" {
void *__libc_malloc(std::size_t) noexcept;
void *__libc_calloc(std::size_t, std::size_t) noexcept;
void *__libc_realloc(void *, std::size_t) noexcept;
void *__libc_memalign(std::size_t, std::size_t) noexcept;
void *__libc_valloc(std::size_t) noexcept;
void *__libc_pvalloc(std::size_t) noexcept;
void __libc_free(void *) noexcept;
int __libc_mallopt(int, int) noexcept;
}

// Makes the C library's own free(), realloc() and malloc_usable_size(), for code that looks them up
// there, those of this library: see qpoolforeignfrees.cpp. Called once, before there is a block that
// they would not know.
void takeForeignFrees() noexcept;

// aligned_alloc().
void *allocateAligned(std::size_t alignment, std::size_t size) noexcept;

// __register_atfork().
int registerAroundFork(void (*before)(), void (*inParent)(), void (*inChild)(), void *library) noexcept;

// These do nothing and return zero if there is no such function.
std::size_t usableSize(void *block) noexcept;
int trim(std::size_t pad) noexcept;
struct mallinfo2 statistics() noexcept;
int writeInfo(int options, std::FILE *file) noexcept;
void writeStatistics() noexcept;

} // namespace LibC

QPOOL_END_NAMESPACE

#endif // QPOOLLIBC_H
