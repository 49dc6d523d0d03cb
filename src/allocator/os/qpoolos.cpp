// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolos.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

QPOOL_BEGIN_NAMESPACE

namespace Os {

static void writeLine(const char *format, va_list arguments) noexcept
{
    char text[512] = "qpool: ";
    constexpr std::size_t prefix = sizeof("qpool: ") - 1;
    const int written = vsnprintf(text + prefix, sizeof(text) - prefix - 1, format, arguments);
    std::size_t length = prefix;
    if (written > 0) {
        const std::size_t room = sizeof(text) - prefix - 2;
        length += std::size_t(written) < room ? std::size_t(written) : room;
    }
    text[length++] = '\n';
    writeErrors(text, length);
}

const char *errorText() noexcept
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 32)
    const char *text = strerrordesc_np(errno);
    return text ? text : "an unknown error";
#else
    return std::strerror(errno);
#endif
}

void warn(const char *format, ...) noexcept
{
    va_list arguments;
    va_start(arguments, format);
    writeLine(format, arguments);
    va_end(arguments);
}

void die(const char *format, ...) noexcept
{
    va_list arguments;
    va_start(arguments, format);
    writeLine(format, arguments);
    va_end(arguments);
    std::abort();
}

static QPOOL_THREAD_LOCAL ThreadExitHook::Entry *s_exitEntries QPOOL_TLS_MODEL = nullptr;

// Set once the fallback has run the entries at the end of a thread without a slot. A thread that
// arms the hook again after that is refused.
static QPOOL_THREAD_LOCAL bool s_exitInsteadRan QPOOL_TLS_MODEL = false;

static void runInstead(void (*run)()) noexcept
{
    s_exitInsteadRan = true;
    run();
}

#if defined(__GLIBC__)
// The function behind the C++ library's thread_local, for processes without that library.
extern "C" int __cxa_thread_atexit_impl(void (*)(void *), void *, void *) noexcept;
extern "C" void *__dso_handle;

static bool callAtThreadExit(void (*run)()) noexcept
{
    return __cxa_thread_atexit_impl([](void *run) { runInstead(reinterpret_cast<void (*)()>(run)); },
                                    reinterpret_cast<void *>(run), &__dso_handle) == 0;
}
#else
struct ExitInstead
{
    ~ExitInstead() { runInstead(function); }
    void (*function)();
};

static bool callAtThreadExit(void (*run)()) noexcept
{
    static thread_local ExitInstead instead { run };
    static_cast<void>(&instead);
    return true;
}
#endif

bool ThreadExitHook::arm(Entry &entry) noexcept
{
    // If there are other entries, the slot is set already.
    if (!s_exitEntries && !armSlot()) {
        if (s_exitInsteadRan || !callAtThreadExit(&run))
            return false;
    }
    entry.next = s_exitEntries;
    s_exitEntries = &entry;
    return true;
}

void ThreadExitHook::run() noexcept
{
    while (Entry *entry = s_exitEntries) {
        s_exitEntries = entry->next;
        entry->function();
    }
}

} // namespace Os

QPOOL_END_NAMESPACE
