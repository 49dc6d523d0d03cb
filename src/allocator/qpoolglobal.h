// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLGLOBAL_H
#define QPOOLGLOBAL_H

#include <cstddef>
#include <cstdint>

// The build options of the allocator, all decided here.

// Hardened builds report misuse on stderr and abort. Level 1 costs little and finds pointers that
// may not be freed; level 2 also finds stray writes, and reports more: see SECURITY.md. Debug
// builds are hardened by default, because the same checks enforce the contracts of the threading
// models.
#ifndef QPOOL_HARDENED
#  if defined(NDEBUG) || defined(QPOOL_FREESTANDING) // freestanding: cannot write a message
#    define QPOOL_HARDENED 0
#  else
#    define QPOOL_HARDENED 1
#  endif
#endif

// The unit in which processors keep memory coherent; data that different threads write is at least
// this far apart. Apple's and IBM's 64-bit processors have lines of 128 bytes, x86-64 has lines of
// 64. Some x86-64 processors fetch lines in pairs; 128 would separate those as well, but makes a
// bin a third larger. A wrong value costs false sharing, never correctness, but all translation
// units must agree, or they do not link. A freestanding program for a processor without a data cache
// may set 8.
#ifndef QPOOL_CACHE_LINE
#  if defined(__powerpc64__) || (defined(__APPLE__) && defined(__aarch64__))
#    define QPOOL_CACHE_LINE 128
#  else
#    define QPOOL_CACHE_LINE 64
#  endif
#endif

// How many free chunks a bin holds itself. Fewer take less memory, but need the pages more often.
// Only for freestanding programs, where memory for the bins of all classes is scarce.
#ifndef QPOOL_MAGAZINE
#  define QPOOL_MAGAZINE 32
#endif

// Code that is loaded when a program starts may use the initial-exec TLS model: one load instead of
// a call, or of the sequence that the linker relaxes the call to. Code that dlopen() loads must fit
// into the small space that the C library reserves for this model, six words per pool; a program
// with many pools defines this as empty. C libraries other than glibc reserve none.
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

// GNU's __thread guarantees constant initialisation, so that no access goes through the wrapper
// function that C++11's thread_local needs for a variable that is only declared. Clang accepts no
// initializer for __thread that depends on template parameters, but has an attribute with the same
// guarantee; for the linker, the variable is the same.
#if defined(__clang__)
#  define QPOOL_THREAD_LOCAL __attribute__((require_constant_initialization)) thread_local
#elif defined(__GNUC__)
#  define QPOOL_THREAD_LOCAL __thread
#else
#  define QPOOL_THREAD_LOCAL thread_local
#endif

// One pool for all libraries of a process: whatever visibility a library is compiled with, its
// pools' symbols are visible to all others, so that the dynamic linker merges them. What two
// libraries have to agree on is part of their names, in an inline namespace such as
// v1_hardened0_line64: the level of hardening and the cache line, on which most layouts depend; and a
// version, which changes when a layout or an invariant changes. Code that differs in these does not
// link, and two states in one process are reported (os/qpoolcopies.h).
//
// With QPOOL_PRIVATE_COPY, a library has pools of its own, which are not visible outside: only this
// library may free what it allocates.
//
// With QPOOL_PROCESS_COPY, a library takes part in the pool of the whole process
// (pool/qprocesspool.h), which QtCore and the malloc front share. It is separate from the pools
// that a program defines itself.
#ifndef QPOOL_PRIVATE_COPY
#  define QPOOL_PRIVATE_COPY 0
#endif
#ifndef QPOOL_PROCESS_COPY
#  define QPOOL_PROCESS_COPY 0
#endif
#ifndef QPOOL_ABI_VERSION
#  define QPOOL_ABI_VERSION 1
#endif
#if QPOOL_PRIVATE_COPY
#  define QPOOL_ABI_NAMESPACE QPOOL_ABI_NAME(private, QPOOL_ABI_VERSION, QPOOL_HARDENED, QPOOL_CACHE_LINE)
#elif QPOOL_PROCESS_COPY
#  define QPOOL_ABI_NAMESPACE QPOOL_ABI_NAME(process, QPOOL_ABI_VERSION, QPOOL_HARDENED, QPOOL_CACHE_LINE)
#else
#  define QPOOL_ABI_NAMESPACE QPOOL_ABI_NAME(v, QPOOL_ABI_VERSION, QPOOL_HARDENED, QPOOL_CACHE_LINE)
#endif
// The first replaces the macros, the second combines what they stand for.
#define QPOOL_ABI_NAME(kind, version, level, line) QPOOL_ABI_NAME_OF(kind, version, level, line)
#define QPOOL_ABI_NAME_OF(kind, version, level, line) kind##version##_hardened##level##_line##line

#ifdef Q_QDOC // programs do not name it
#  define QPOOL_BEGIN_NAMESPACE namespace QPool {
#  define QPOOL_END_NAMESPACE }
#elif defined(__ELF__) && !QPOOL_PRIVATE_COPY
#  define QPOOL_BEGIN_NAMESPACE \
       namespace QPool { inline namespace QPOOL_ABI_NAMESPACE __attribute__((visibility("default"))) {
#  define QPOOL_END_NAMESPACE } }
#else
#  define QPOOL_BEGIN_NAMESPACE namespace QPool { inline namespace QPOOL_ABI_NAMESPACE {
#  define QPOOL_END_NAMESPACE } }
#endif
#if defined(__ELF__) && !QPOOL_PRIVATE_COPY
#  define QPOOL_LOCAL __attribute__((visibility("hidden")))
#else
#  define QPOOL_LOCAL
#endif

// For what no code uses, but must not be removed, not even by the linker's --gc-sections.
#if defined(__GNUC__)
#  define QPOOL_KEPT __attribute__((used, retain))
#else
#  define QPOOL_KEPT
#endif

QPOOL_BEGIN_NAMESPACE

inline constexpr int hardening = QPOOL_HARDENED;
static_assert(hardening >= 0 && hardening <= 2, "QPOOL_HARDENED is 0, 1 or 2");
inline constexpr bool hardened = hardening > 0;

// The most bytes that an object can have. A function to which more are passed refuses them before it
// adds anything to them: the sum might wrap to a small size. It does so on its slow path, on which
// all sizes are that no class has.
inline constexpr std::size_t MostBytes = PTRDIFF_MAX;

inline constexpr std::size_t CacheLineSize = QPOOL_CACHE_LINE;

// The number of the highest bit that is set; \a bits is not zero.
constexpr unsigned highestBit(std::uint64_t bits) noexcept
{
#if defined(__GNUC__)
    return 63 - unsigned(__builtin_clzll(bits));
#else
    unsigned bit = 0;
    while (bits >>= 1)
        ++bit;
    return bit;
#endif
}

// Code that uses only templates needs no symbol of the library, and would link with one, and with
// other code, of another level or cache line. So all code refers to a symbol that only the library of
// its own namespace has. Without an operating system there is no library.
#ifndef QPOOL_FREESTANDING
namespace Abi {
extern const char library;
#  if defined(__GNUC__) // not every system or assembler knows "retain"
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wattributes"
#  endif
QPOOL_LOCAL QPOOL_KEPT inline const char *const neededLibrary = &library;
#  if defined(__GNUC__)
#    pragma GCC diagnostic pop
#  endif
} // namespace Abi
#endif

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
