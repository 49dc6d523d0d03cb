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
#include <string_view>

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
    constexpr std::string_view end(":QtQml");
    const std::string_view asked(flags == 1 ? name : ""); // MFD_CLOEXEC
    return asked.size() > end.size() && std::string_view(name + asked.size() - end.size()) == end;
}

static bool areFilesRefused() noexcept
{
    const char *wish = Os::environment("QT_POOL_ALLOCATOR_QML");
    return !isProcessPoolDisabled() && !(wish && std::strcmp(wish, "0") == 0);
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
    const long result = next()(number, values[0], values[1], values[2], values[3], values[4], values[5]);
    // Only now it is known that the name can be read.
    if (QPOOL_UNLIKELY(number == SYS_memfd_create) && result >= 0
        && isForScripts(reinterpret_cast<const char *>(values[0]), static_cast<unsigned>(values[1]))
        && areFilesRefused()) {
        next()(SYS_close, result);
        errno = ENOSYS;
        return -1;
    }
    return result;
}
