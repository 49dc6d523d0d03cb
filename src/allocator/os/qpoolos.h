// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOS_H
#define QPOOLOS_H

#include "../qpoolglobal.h"

// A freestanding program without threads may have interrupts, which locks mask.
#if defined(__has_include) && !defined(QPOOL_FREESTANDING)
#  if __has_include(<sys/single_threaded.h>)
#    include <sys/single_threaded.h>
#    define QPOOL_KNOWS_SINGLE_THREADED 1
#  endif
#endif

// Everything that the allocator needs from an operating system. One .cpp per system, and one for
// what is the same on all.

QPOOL_BEGIN_NAMESPACE

namespace Os {

// Reserves address space without memory; returns null if the system refuses. \a alignment is a
// power of two.
void *reserve(std::size_t bytes, std::size_t alignment) noexcept;
void unreserve(void *address, std::size_t bytes) noexcept;

// Maps usable memory, zero-filled, at exactly \a address: Taken if something else is mapped there, Refused
// if the system has no memory.
enum class Mapping { Done, Taken, Refused };
Mapping mapAt(void *address, std::size_t bytes) noexcept;

// Near where the system puts mappings whose address it chooses.
std::uintptr_t likelyAddress() noexcept;

// The system must not make huge pages of this memory by itself.
void refuseHugePages(void *address, std::size_t bytes) noexcept;

// How much address space the process may have in all, in bytes; SIZE_MAX if there is no limit.
std::size_t addressSpaceLimit() noexcept;

// The granularity of addresses and sizes in the calls here.
std::size_t pageBytes() noexcept;

// Makes reserved address space usable, zero-filled. Returns false, and changes nothing, if the
// system is out of memory or of mappings.
bool commit(void *address, std::size_t bytes) noexcept;

// Gives the memory back and keeps the address space. The contents are lost, at least in part,
// whatever the result; returns false if the system does not take all of it.
bool decommit(void *address, std::size_t bytes) noexcept;

// Whether decommitted memory may be used at once, and what the system took is zero-filled.
#ifdef _WIN32
inline constexpr bool DecommittedIsUsable = false;
#else
inline constexpr bool DecommittedIsUsable = true;
#endif

// Must be called before decommitted memory is used again, unless that is usable.
bool recommit(void *address, std::size_t bytes) noexcept;

// The numbers that the system's own tools show for the calling thread and its process.
std::uint64_t threadId() noexcept;
std::uint64_t processId() noexcept;

// A number that cannot be guessed, from the system if it can provide one without waiting.
std::uint64_t randomNumber() noexcept;

// Whether the calling thread is the only one of the process, and will be until it starts another
// itself. Returns false if the system cannot tell.
QPOOL_ALWAYS_INLINE bool isSingleThreaded() noexcept
{
#ifdef QPOOL_KNOWS_SINGLE_THREADED
    return __libc_single_threaded;
#else
    return false;
#endif
}

// Milliseconds since an arbitrary moment, not exact; wraps.
std::uint32_t milliseconds() noexcept;

// For a thread that waits a moment for another one. Its first attempts, up to Spins, take some microseconds in all: what
// it waits for usually takes less. Then it lets others run and, from some \a attempt on, sleeps, in case the other
// thread cannot run while the caller does.
void pause(unsigned attempt) noexcept;
inline constexpr unsigned Spins = 100;

/*
    Functions that are called at the end of a thread that armed them, after the destructors of C++
    thread_local objects. They may be armed again while they run, and by destructors that run later.

    All hooks of a process share one of the system's slots, which is taken at the first use. If none
    is left, they are called among the destructors of thread_local objects. Arming may allocate: it
    must not be called with a lock held.
*/
class ThreadExitHook
{
public:
    using Function = void (*)();
    // Belongs to one thread and lives as long as it does: its links are changed without a lock.
    struct Entry
    {
        Function function;
        Entry *next;
    };
    // Returns false if the system refuses; the function will not be called then.
    static bool arm(Entry &entry) noexcept;

private:
    static void run() noexcept;
    static bool armSlot() noexcept;
};

// Registers functions that take locks before fork() and release them in both processes, so that a
// child never inherits a lock held by a thread that it does not have. Without \a inChild, \a after
// is called in the child, too. Does nothing where there is no fork.
void aroundFork(void (*before)(), void (*after)(), void (*inChild)() = nullptr) noexcept;

// Writes to stderr, in one call.
void writeErrors(const char *text, std::size_t bytes) noexcept;

// What the error errno says, in English where strerror() would translate it: that takes a lock of the C library, with
// which the program may be calling malloc().
const char *errorText() noexcept;

// Writes a line to stderr.
void warn(const char *format, ...) noexcept QPOOL_PRINTF_FORMAT(1, 2);

// Reports a broken contract in a line on stderr, and aborts.
[[noreturn]] void die(const char *format, ...) noexcept QPOOL_PRINTF_FORMAT(1, 2);

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLOS_H
