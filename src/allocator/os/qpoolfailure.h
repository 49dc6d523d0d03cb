// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLFAILURE_H
#define QPOOLFAILURE_H

#include "qpoolos.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

// What the standard requires of an allocator without memory: call the new-handler as long as there
// is one, then throw std::bad_alloc. Code that is compiled without exceptions prints the requested
// size on stderr and aborts, because containers cannot handle null.
namespace Failure {

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
inline constexpr bool throws = true;
#else
inline constexpr bool throws = false;
#endif

// Templates only so that their names differ: a program may contain both kinds of code. \a prefix
// begins the message: the caller's name and a colon.
template <bool Throws = throws>
[[noreturn]] QPOOL_NEVER_INLINE void outOfMemory([[maybe_unused]] std::size_t bytes,
                                                 [[maybe_unused]] const char *prefix = "")
{
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw std::bad_alloc();
#else
    Os::die("%sout of memory: %llu bytes were asked for", prefix,
            static_cast<unsigned long long>(bytes));
#endif
}

template <bool Throws = throws>
[[noreturn]] QPOOL_NEVER_INLINE void tooLong([[maybe_unused]] std::size_t count)
{
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw std::bad_array_new_length();
#else
    Os::die("an array of %llu elements is longer than any memory",
            static_cast<unsigned long long>(count));
#endif
}

// The bytes of an array; no object may be larger than half of the address space.
template <class T>
QPOOL_ALWAYS_INLINE std::size_t arrayBytes(std::size_t count)
{
    if (QPOOL_UNLIKELY(count > std::size_t(PTRDIFF_MAX) / sizeof(T)))
        tooLong<throws>(count);
    return count * sizeof(T);
}

// Returns the first non-null result of \a allocate, which is called again after each call of the
// new-handler, because that may have freed memory.
template <bool Throws = throws, class Allocate>
QPOOL_NEVER_INLINE void *retry(std::size_t bytes, Allocate allocate, const char *prefix = "")
{
    for (;;) {
        if (void *block = allocate())
            return block;
        const std::new_handler handler = std::get_new_handler();
        if (!handler)
            outOfMemory<Throws>(bytes, prefix);
        handler();
    }
}

} // namespace Failure

QPOOL_END_NAMESPACE

#endif // QPOOLFAILURE_H
