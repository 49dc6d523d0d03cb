// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// QtQml maps files in memory privately, for JavaScript's heap, stacks and code. Each page that is written then exists
// twice, in the file and as the private copy, and a collection of garbage gives back the copies alone. Where the system
// has no such files, QtQml maps anonymous memory, which exists once. It asks for the files by syscall(), so the front
// has this function, too: it refuses that request as such a system does, and passes on everything else.
// QT_POOL_ALLOCATOR_QML=0 leaves QtQml its files, and so does a disabled pool.

#include "../os/qpoolenvironment.h"
#include "../os/qpoolkepterrno.h"
#include "qpoolheap.h"

#include <atomic>
#include <cstdarg>

#include <dlfcn.h>
#include <sys/syscall.h>

using namespace QPool;

using SystemCall = long(long number, ...);

// Others may interpose the function, too. A signal handler must not be the first to look it up.
__attribute__((constructor)) static SystemCall *next() noexcept
{
    static std::atomic<SystemCall *> found { nullptr }; // two threads find the same
    SystemCall *function = found.load(std::memory_order_relaxed);
    if (QPOOL_UNLIKELY(!function)) {
        const Os::KeptErrno kept;
        function = reinterpret_cast<SystemCall *>(dlsym(RTLD_NEXT, "syscall"));
        found.store(function, std::memory_order_relaxed);
    }
    return function;
}

static bool isForScripts(const char *name, unsigned flags) noexcept // "JSGCHeap:QtQml"
{
    constexpr char end[] = ":QtQml";
    constexpr std::size_t length = sizeof(end) - 1;
    if (flags != 1 /* MFD_CLOEXEC */ || !name)
        return false;
    const std::size_t all = std::strlen(name);
    return all > length && std::memcmp(name + all - length, end, length) == 0;
}

// Decided once, like all that the environment decides.
static bool areFilesRefused() noexcept
{
    enum Answer { Unknown, Yes, No };
    static std::atomic<Answer> known { Unknown };
    Answer answer = known.load(std::memory_order_relaxed);
    if (answer == Unknown) {
        const char *wish = Os::environment("QT_POOL_ALLOCATOR_QML");
        answer = isProcessPoolDisabled() || (wish && std::strcmp(wish, "0") == 0) ? No : Yes;
        known.store(answer, std::memory_order_relaxed);
    }
    return answer == Yes;
}

// Linux takes six arguments at most. Those that the caller did not pass are whatever is where they would be, as in
// the C library's function. They are only read: a jump with them in place could write to the caller's variables.
extern "C" QPOOL_EXPORT long syscall(long number, ...) noexcept
{
    long values[6];
    std::va_list list;
    va_start(list, number);
    for (long &value : values)
        value = va_arg(list, long);
    va_end(list);
    if (QPOOL_UNLIKELY(number == SYS_memfd_create)
        && isForScripts(reinterpret_cast<const char *>(values[0]), static_cast<unsigned>(values[1]))
        && areFilesRefused()) {
        errno = ENOSYS;
        return -1;
    }
    return next()(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}
