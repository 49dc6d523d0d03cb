// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLGLOBAL_H
#define QPOOLGLOBAL_H

#include <cstddef>
#include <cstdint>

// The build options of the allocator, each settled here and nowhere else.

// Hardened builds name misuse on stderr and abort. Level 1 costs little and finds pointers that may
// not be freed; level 2 also finds what was written where it should not be, and says more: see
// SECURITY.md. Debug builds are hardened unless told otherwise, because the contracts of the
// threading models are checked by the same machinery.
#ifndef QPOOL_HARDENED
#  if defined(NDEBUG) || defined(QPOOL_FREESTANDING) // with nothing to write a message to
#    define QPOOL_HARDENED 0
#  else
#    define QPOOL_HARDENED 1
#  endif
#endif

// The unit in which processors keep each other's memory coherent: what different threads write
// stands that far apart. Apple's and IBM's 64-bit processors have lines of 128 bytes. Those of
// x86-64 have 64; where some of these fetch lines in pairs, 128 keeps those apart as well, for a third
// more memory in a bin. A wrong guess costs false sharing, never correctness, but all translation
// units must agree. A freestanding program for a processor without a data cache may say 8.
#ifndef QPOOL_CACHE_LINE
#  if defined(__powerpc64__) || (defined(__APPLE__) && defined(__aarch64__))
#    define QPOOL_CACHE_LINE 128
#  else
#    define QPOOL_CACHE_LINE 64
#  endif
#endif

// How many free chunks a bin holds at hand in itself. Less takes less memory, and more visits to the
// pages; for freestanding programs, where memory for the bins of all classes is scarce.
#ifndef QPOOL_MAGAZINE
#  define QPOOL_MAGAZINE 32
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
// function that C++11's thread_local needs for a variable it sees only declared. Clang takes no
// initializer for it that depends on a template's parameters, and has an attribute that promises
// the same; the variable is the same to the linker.
#if defined(__clang__)
#  define QPOOL_THREAD_LOCAL __attribute__((require_constant_initialization)) thread_local
#elif defined(__GNUC__)
#  define QPOOL_THREAD_LOCAL __thread
#else
#  define QPOOL_THREAD_LOCAL thread_local
#endif

// One pool for all libraries of a process: whatever visibility a library is compiled with, the pools'
// symbols are seen by all others, so that the dynamic linker makes one of each. The version is part
// of their names, and changes when a layout or an invariant that two libraries would have to agree
// on does: what was compiled against another one does not link, and two in one process are named
// (os/qpoolcopies.h).
//
// With QPOOL_PRIVATE_COPY a library has pools of its own, which nobody outside sees: it alone must
// free what it allocates.
//
// With QPOOL_PROCESS_COPY a library takes part in the pool of the whole process (pool/qprocesspool.h),
// which QtCore and the malloc front have in common, and which has nothing to do with the pools
// that a program makes itself: its names differ from theirs, and between levels of hardening.
#ifndef QPOOL_PRIVATE_COPY
#  define QPOOL_PRIVATE_COPY 0
#endif
#ifndef QPOOL_PROCESS_COPY
#  define QPOOL_PROCESS_COPY 0
#endif
#ifndef QPOOL_ABI_VERSION
#  define QPOOL_ABI_VERSION 1
#  if !QPOOL_PROCESS_COPY
#    define QPOOL_ABI_NAMESPACE v1
#  elif QPOOL_HARDENED == 0
#    define QPOOL_ABI_NAMESPACE process1
#  elif QPOOL_HARDENED == 1
#    define QPOOL_ABI_NAMESPACE process1hardened1
#  else
#    define QPOOL_ABI_NAMESPACE process1hardened2
#  endif
#endif
#if QPOOL_PRIVATE_COPY
#  define QPOOL_BEGIN_NAMESPACE namespace QPool {
#  define QPOOL_END_NAMESPACE }
#  define QPOOL_LOCAL
#elif defined(__ELF__)
#  define QPOOL_BEGIN_NAMESPACE \
       namespace QPool { inline namespace QPOOL_ABI_NAMESPACE __attribute__((visibility("default"))) {
#  define QPOOL_END_NAMESPACE } }
#  define QPOOL_LOCAL __attribute__((visibility("hidden")))
#else
#  define QPOOL_BEGIN_NAMESPACE namespace QPool { inline namespace QPOOL_ABI_NAMESPACE {
#  define QPOOL_END_NAMESPACE } }
#  define QPOOL_LOCAL
#endif

QPOOL_BEGIN_NAMESPACE

inline constexpr int hardening = QPOOL_HARDENED;
static_assert(hardening >= 0 && hardening <= 2, "QPOOL_HARDENED is 0, 1 or 2");
inline constexpr bool hardened = hardening > 0;

inline constexpr std::size_t CacheLineSize = QPOOL_CACHE_LINE;
#ifdef QPOOL_FREESTANDING
static_assert(CacheLineSize >= 8 && (CacheLineSize & (CacheLineSize - 1)) == 0,
              "QPOOL_CACHE_LINE is a power of two, 8 at least");
static_assert(QPOOL_MAGAZINE >= 1 && QPOOL_MAGAZINE <= 128, "QPOOL_MAGAZINE is 1 to 128");
#else
static_assert(CacheLineSize >= 64 && (CacheLineSize & (CacheLineSize - 1)) == 0,
              "QPOOL_CACHE_LINE is a power of two, 64 at least");
static_assert(QPOOL_MAGAZINE == 32, "QPOOL_MAGAZINE is for freestanding programs");
#endif

QPOOL_END_NAMESPACE

#endif // QPOOLGLOBAL_H
