// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#if !defined(_WIN32)

#include "qpoolthreadidentity.h"

#include "../../allocator/os/qpoolos.h"
#include "../../allocator/os/qpoolunix.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

QPOOL_BEGIN_NAMESPACE

namespace Os {

namespace {

constexpr ThreadIdentity::Number threadMask = ThreadIdentity::Flag - 1;

#if defined(__linux__)

// What /proc reports about a thread.
struct ThreadState
{
    enum Kind { Unknown, Missing, Present } kind = Unknown;
    char state = 0;
    std::uint32_t started = 0; // in ticks of the system's clock, the lower half; 0: not known
};

ThreadState stateOf(unsigned long thread) noexcept
{
    char name[48];
    std::snprintf(name, sizeof name, "/proc/%lu/stat", thread);
    ThreadState result;
    const int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        if (errno == ENOENT || errno == ESRCH)
            result.kind = ThreadState::Missing;
        return result;
    }
    char text[1024];
    ssize_t length;
    do {
        length = read(descriptor, text, sizeof text - 1);
    } while (length < 0 && errno == EINTR);
    if (length < 0 && errno == ESRCH)
        result.kind = ThreadState::Missing;
    close(descriptor);
    if (length <= 0)
        return result;
    text[length] = 0;
    // The second field is the program's name in parentheses, which may itself contain any. The
    // state is the third field, and the start time the 22nd.
    const char *at = std::strrchr(text, ')');
    if (!at || at[1] != ' ' || !at[2])
        return result;
    result.kind = ThreadState::Present;
    result.state = at[2];
    ++at;
    for (int field = 3; at && field <= 22; ++field) {
        if (field == 22)
            result.started = std::uint32_t(std::strtoull(at + 1, nullptr, 10));
        at = std::strchr(at + 1, ' ');
    }
    return result;
}

bool hasProc() noexcept
{
    struct stat status;
    return stat("/proc/self/stat", &status) == 0;
}

#endif // defined(__linux__)

// Only ESRCH leaves no doubt.
bool existsByNumber(unsigned long thread) noexcept
{
    return kill(pid_t(thread), 0) == 0 || errno != ESRCH;
}

} // namespace

ThreadIdentity::Number ThreadIdentity::find() noexcept
{
    const KeptErrno kept;
    static const bool registered = (aroundFork(nullptr, nullptr, &ThreadIdentity::forget), true);
    static_cast<void>(registered);
#if defined(__linux__)
    const Number thread = threadId() & threadMask;
    s_current = Number(stateOf(static_cast<unsigned long>(thread)).started) << 32 | thread;
#else
    // Without a thread number that other processes know, the process's number and the address of
    // the thread's variable identify the thread.
    s_current = Number(std::uint32_t(reinterpret_cast<std::uintptr_t>(&s_current) >> 4)) << 32
            | (processId() & threadMask);
#endif
    return s_current;
}

// Called in the child of a fork(), whose only thread is the one that forked.
void ThreadIdentity::forget() noexcept
{
    s_current = 0;
}

bool ThreadIdentity::isAlive(Number number) noexcept
{
    const KeptErrno kept;
    const auto thread = static_cast<unsigned long>(number & threadMask);
    if (thread == 0)
        return false;
#if defined(__linux__)
    const ThreadState state = stateOf(thread);
    if (state.kind == ThreadState::Present) {
        const auto started = std::uint32_t(number >> 32);
        // Z and X: it has ended, but was not waited for yet.
        return state.state != 'Z' && state.state != 'X'
                && (started == 0 || state.started == 0 || started == state.started);
    }
    if (state.kind == ThreadState::Missing && hasProc())
        return false;
#endif
    return existsByNumber(thread);
}

std::uint64_t ThreadIdentity::surroundings() noexcept
{
    const KeptErrno kept;
    std::uint64_t result = 0;
#if defined(__linux__)
    // Start times are relative to the boot time of the time namespace.
    for (const char *name : { "/proc/self/ns/pid", "/proc/self/ns/time" }) {
        struct stat status;
        if (stat(name, &status) == 0)
            result = result * 0x9E3779B97F4A7C15u + status.st_ino;
    }
#endif
    return result;
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // !defined(_WIN32)
