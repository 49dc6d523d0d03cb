// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTRACK_H
#define QPOOLTRACK_H

#include "../qpoolglobal.h"

// Tells external tools what is in use. The rest of the code calls these functions and has no #ifdef
// of its own. In builds without a tool they are empty.
//
//   AddressSanitizer  automatic, in builds that have it: free chunks are poisoned
//   Valgrind          -DQPOOL_TRACK_VALGRIND=1: chunks are reported as heap blocks
//   heaptrack         -DQPOOL_TRACK_HEAPTRACK=1: chunks are reported to its injected library

#if defined(__SANITIZE_ADDRESS__)
#  define QPOOL_TRACK_ASAN 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define QPOOL_TRACK_ASAN 1
#  endif
#endif
#ifndef QPOOL_TRACK_ASAN
#  define QPOOL_TRACK_ASAN 0
#endif
#ifndef QPOOL_TRACK_VALGRIND
#  define QPOOL_TRACK_VALGRIND 0
#endif
#ifndef QPOOL_TRACK_HEAPTRACK
#  define QPOOL_TRACK_HEAPTRACK 0
#endif

#if QPOOL_TRACK_ASAN
#  include <sanitizer/asan_interface.h>
// The allocator links free chunks through their first word, poisoned or not. The access must stay
// in the function with this attribute: GCC would move it to the caller even for a function that it
// does not inline.
#  if defined(__clang__)
#    define QPOOL_UNTRACKED inline __attribute__((no_sanitize("address"), noinline))
#  else
#    define QPOOL_UNTRACKED inline __attribute__((no_sanitize("address"), noipa))
#  endif
#else
#  define QPOOL_UNTRACKED inline
#endif
#if QPOOL_TRACK_VALGRIND
#  include <valgrind/memcheck.h>
#endif
#if QPOOL_TRACK_HEAPTRACK
// Defined by heaptrack when it is loaded, absent otherwise.
extern "C" void heaptrack_malloc(void *, std::size_t) __attribute__((weak));
extern "C" void heaptrack_free(void *) __attribute__((weak));
#endif

QPOOL_BEGIN_NAMESPACE

namespace Track {

inline void allocated([[maybe_unused]] void *chunk, [[maybe_unused]] std::size_t size) noexcept
{
#if QPOOL_TRACK_ASAN
    ASAN_UNPOISON_MEMORY_REGION(chunk, size);
#endif
#if QPOOL_TRACK_VALGRIND
    VALGRIND_MALLOCLIKE_BLOCK(chunk, size, 0, 0);
#endif
#if QPOOL_TRACK_HEAPTRACK
    if (heaptrack_malloc)
        heaptrack_malloc(chunk, size);
#endif
}

inline void freed([[maybe_unused]] void *chunk, [[maybe_unused]] std::size_t size) noexcept
{
#if QPOOL_TRACK_ASAN
    ASAN_POISON_MEMORY_REGION(chunk, size);
#endif
#if QPOOL_TRACK_VALGRIND
    VALGRIND_FREELIKE_BLOCK(chunk, 0);
#endif
#if QPOOL_TRACK_HEAPTRACK
    if (heaptrack_free)
        heaptrack_free(chunk);
#endif
}

// A page came from the source with all its chunks free, or goes back to it.
inline void pageTaken([[maybe_unused]] void *page, [[maybe_unused]] std::size_t size) noexcept
{
#if QPOOL_TRACK_ASAN
    ASAN_POISON_MEMORY_REGION(page, size);
#endif
}

inline void pageLeft([[maybe_unused]] void *page, [[maybe_unused]] std::size_t size) noexcept
{
#if QPOOL_TRACK_ASAN
    ASAN_UNPOISON_MEMORY_REGION(page, size);
#endif
}

// Called before and after the allocator itself writes to a free chunk.
inline void beginLink([[maybe_unused]] void *chunk) noexcept
{
#if QPOOL_TRACK_VALGRIND
    VALGRIND_MAKE_MEM_DEFINED(chunk, sizeof(void *));
#endif
}

inline void endLink([[maybe_unused]] void *chunk) noexcept
{
#if QPOOL_TRACK_VALGRIND
    VALGRIND_MAKE_MEM_NOACCESS(chunk, sizeof(void *));
#endif
}

} // namespace Track

QPOOL_END_NAMESPACE

#endif // QPOOLTRACK_H
