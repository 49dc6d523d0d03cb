// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLGLOBAL_H
#define QPOOLGLOBAL_H

#include <cstddef>
#include <cstdint>

// The build options of the allocator, each settled here and nowhere else.

// Hardened builds name misuse on stderr and abort; debug builds are hardened unless told
// otherwise, because the contracts of the threading models are checked by the same machinery.
#ifndef QPOOL_HARDENED
#  ifdef NDEBUG
#    define QPOOL_HARDENED 0
#  else
#    define QPOOL_HARDENED 1
#  endif
#endif

// What is loaded when a program starts may use the initial-exec TLS model: one load instead of a
// call, or of what a call becomes when the linker relaxes it. What is loaded by dlopen() has to
// make do with the little space that the C library keeps for that, six words a pool; defined
// empty by who has many. Other C libraries than glibc keep none.
#ifndef QPOOL_TLS_MODEL
#  if defined(__GLIBC__) && defined(__GNUC__)
#    define QPOOL_TLS_MODEL __attribute__((tls_model("initial-exec")))
#  else
#    define QPOOL_TLS_MODEL
#  endif
#endif

#if defined(__GNUC__)
#  define QPOOL_LIKELY(x) __builtin_expect(bool(x), true)
#  define QPOOL_UNLIKELY(x) __builtin_expect(bool(x), false)
#  define QPOOL_ALWAYS_INLINE inline __attribute__((always_inline))
#  define QPOOL_NEVER_INLINE __attribute__((noinline))
#  define QPOOL_PRINTF_FORMAT(f, a) __attribute__((format(printf, f, a)))
#  define QPOOL_ASSUME(x) do { if (!(x)) __builtin_unreachable(); } while (false)
#else
#  define QPOOL_LIKELY(x) bool(x)
#  define QPOOL_UNLIKELY(x) bool(x)
#  define QPOOL_ALWAYS_INLINE __forceinline
#  define QPOOL_NEVER_INLINE __declspec(noinline)
#  define QPOOL_PRINTF_FORMAT(f, a)
#  define QPOOL_ASSUME(x) __assume(x)
#endif

// GNU's __thread promises constant initialisation, so that no access goes through the wrapper
// function that C++11's thread_local needs for a variable it sees only declared.
#if defined(__GNUC__)
#  define QPOOL_THREAD_LOCAL __thread
#else
#  define QPOOL_THREAD_LOCAL thread_local
#endif

namespace QPool {

inline constexpr bool hardened = QPOOL_HARDENED;

// Cache lines are 64 bytes on every machine this runs on in practice; a wrong guess costs
// false sharing, never correctness.
inline constexpr std::size_t CacheLineSize = 64;

} // namespace QPool

#endif // QPOOLGLOBAL_H
