// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOS_H
#define QPOOLOS_H

#include "../qpoolglobal.h"

// A freestanding program without threads may have interrupts, which locks are to keep out.
#if defined(__has_include) && !defined(QPOOL_FREESTANDING)
#  if __has_include(<sys/single_threaded.h>)
#    include <sys/single_threaded.h>
#    define QPOOL_KNOWS_SINGLE_THREADED 1
#  endif
#endif

// What the allocator asks of an operating system, and all it asks. One .cpp a system, and one for
// what is the same on all.

QPOOL_BEGIN_NAMESPACE

namespace Os {

// Address space without memory behind it; null when the system refuses. \a alignment is a
// power of two.
void *reserve(std::size_t bytes, std::size_t alignment) noexcept;
void unreserve(void *address, std::size_t bytes) noexcept;

// The same at \a address and nowhere else.
enum class Reservation { Done, Taken, Refused };
Reservation reserveAt(void *address, std::size_t bytes) noexcept;

// How much address space the process may have in all; SIZE_MAX when there is no limit.
std::size_t addressSpaceLimit() noexcept;

// What addresses and sizes of the calls here are multiples of.
std::size_t pageBytes() noexcept;

// Makes reserved address space usable, zero-filled. False when the system is out of memory
// or of mappings; nothing has changed then.
bool commit(void *address, std::size_t bytes) noexcept;

// Whether the page at \a address, which is usable, has memory before it was touched: when the
// program has told the system to keep all of its memory in place, commit() fetches it at once.
bool isResident(void *address) noexcept;

// Gives the memory back and keeps the address space. What was there is lost, in part at least,
// whatever is returned; false when the system does not take all of it.
bool decommit(void *address, std::size_t bytes) noexcept;

// To be called before decommitted memory is used again.
bool recommit(void *address, std::size_t bytes) noexcept;

// The numbers the system's own tools show for the calling thread and its process.
std::uint64_t threadId() noexcept;
std::uint64_t processId() noexcept;

// One that cannot be guessed, from the system if it has any to give at once.
std::uint64_t randomNumber() noexcept;

// Whether the calling thread is the only one of the process, and will be until it starts another
// itself. A system that cannot tell says no.
QPOOL_ALWAYS_INLINE bool isSingleThreaded() noexcept
{
#ifdef QPOOL_KNOWS_SINGLE_THREADED
    return __libc_single_threaded;
#else
    return false;
#endif
}

// Milliseconds since some moment, not exact; wraps.
std::uint32_t milliseconds() noexcept;

// For a thread that waits for another one, which needs a moment: lets others run, and from some
// \a attempt on sleeps, in case the other one may not run while the caller does.
void pause(unsigned attempt) noexcept;

/*
    Functions to be called at the end of a thread that armed them, after the destructors of C++
    thread_local objects. They may be armed again from within, and by destructors that run later.

    All hooks of a process share one slot of the system's, which is taken at the first use. When
    there is none left, they are called among the destructors of thread_local objects.
    Arming may allocate: not to be called with a lock held.
*/
class ThreadExitHook
{
public:
    using Function = void (*)();
    // A thread's own, and one that lives as long as it: its links are changed without a lock.
    struct Entry
    {
        Function function;
        Entry *next;
    };
    // False when the system refuses; the function will not be called then.
    static bool arm(Entry &entry) noexcept;

private:
    static void run() noexcept;
    static bool armSlot() noexcept;
};

// Locks taken before fork() and given back on both sides, so that a child never inherits one
// that a thread it does not have was holding. Without \a inChild, \a after is called there too.
// Nothing to do where there is no fork.
void aroundFork(void (*before)(), void (*after)(), void (*inChild)() = nullptr) noexcept;

// To stderr, in one write.
void writeErrors(const char *text, std::size_t bytes) noexcept;

// A line there.
void warn(const char *format, ...) noexcept QPOOL_PRINTF_FORMAT(1, 2);

// Names a broken contract in such a line, and aborts.
[[noreturn]] void die(const char *format, ...) noexcept QPOOL_PRINTF_FORMAT(1, 2);

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLOS_H
