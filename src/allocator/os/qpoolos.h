// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOS_H
#define QPOOLOS_H

#include "../qpoolglobal.h"

#if defined(__has_include)
#  if __has_include(<sys/single_threaded.h>)
#    include <sys/single_threaded.h>
#    define QPOOL_KNOWS_SINGLE_THREADED 1
#  endif
#endif

// What the allocator asks of an operating system, and all it asks. One .cpp a system, and one for
// what is the same on all.

namespace QPool::Os {

// Address space without memory behind it; null when the system refuses. \a alignment is a
// power of two.
void *reserve(std::size_t bytes, std::size_t alignment) noexcept;
void unreserve(void *address, std::size_t bytes) noexcept;

// Makes reserved address space usable, zero-filled. False when the system is out of memory
// or of mappings; nothing has changed then.
bool commit(void *address, std::size_t bytes) noexcept;

// Gives the memory back and keeps the address space. What was there is lost.
void decommit(void *address, std::size_t bytes) noexcept;

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

// A function to be called at the end of each thread that armed it, after the destructors of
// C++ thread_local objects. It may be armed again from within.
class ThreadExitHook
{
public:
    using Function = void (*)();
    // False when the system has no slot left; the hook will not run then.
    bool arm(Function function) noexcept;

private:
    bool m_created = false;
    unsigned long m_key = 0;
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

} // namespace QPool::Os

#endif // QPOOLOS_H
