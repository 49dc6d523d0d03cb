// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpooltrace.h"

#include <cstdio>

#if defined(_WIN32)
#  ifndef WIN32_LEAN_AND_MEAN
#    define WIN32_LEAN_AND_MEAN
#  endif
#  include <windows.h>
#else
#  include <cstdlib>
#  include <cstring>
#  include <dlfcn.h>
#  include <unwind.h>
// The malloc front is also loaded into programs without the C++ library; their reports have less.
#  pragma weak _Unwind_Backtrace
#  pragma weak _Unwind_GetIP
extern "C" char *__cxa_demangle(const char *, char *, std::size_t *, int *) __attribute__((weak));
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

#if defined(_WIN32)

unsigned callers(void **addresses, unsigned most) noexcept
{
    return RtlCaptureStackBackTrace(1, most, addresses, nullptr);
}

void nameOfCode(const void *address, char *text, std::size_t size) noexcept
{
    std::snprintf(text, size, "%p", const_cast<void *>(address));
}

bool nameOfClass(std::uintptr_t, char *, std::size_t) noexcept
{
    return false;
}

#else

namespace {

struct Walk
{
    void **addresses;
    unsigned count;
    unsigned most;
    bool inside; // still in callers() itself
};

_Unwind_Reason_Code visit(_Unwind_Context *context, void *argument)
{
    auto *walk = static_cast<Walk *>(argument);
    if (walk->inside) {
        walk->inside = false;
        return _URC_NO_REASON;
    }
    const auto address = _Unwind_GetIP(context);
    if (!address || walk->count == walk->most)
        return _URC_END_OF_STACK;
    walk->addresses[walk->count++] = reinterpret_cast<void *>(address);
    return _URC_NO_REASON;
}

// Copies \a symbol, demangled if it is C++.
void copyDemangled(const char *symbol, char *text, std::size_t size) noexcept
{
    int status = 0;
    char *readable = nullptr;
    if (__cxa_demangle)
        readable = __cxa_demangle(symbol, nullptr, nullptr, &status);
    std::snprintf(text, size, "%s", readable ? readable : symbol);
    std::free(readable);
}

} // namespace

unsigned callers(void **addresses, unsigned most) noexcept
{
    Walk walk { addresses, 0, most, true };
    if (_Unwind_Backtrace)
        _Unwind_Backtrace(&visit, &walk);
    return walk.count;
}

void nameOfCode(const void *address, char *text, std::size_t size) noexcept
{
    Dl_info info = {};
    // A return address may be after the end of a function that does not return.
    const char *inside = static_cast<const char *>(address) - 1;
    if (!dladdr(inside, &info) || !info.dli_fname) {
        std::snprintf(text, size, "%p", const_cast<void *>(address));
        return;
    }
    const char *module = std::strrchr(info.dli_fname, '/');
    module = module ? module + 1 : info.dli_fname;
    const auto offset = std::size_t(static_cast<const char *>(address)
                                    - static_cast<const char *>(info.dli_fbase));
    if (!info.dli_sname) {
        std::snprintf(text, size, "%s+0x%zx", module, offset);
        return;
    }
    char name[256];
    copyDemangled(info.dli_sname, name, sizeof(name));
    std::snprintf(text, size, "%s (%s+0x%zx)", name, module, offset);
}

bool nameOfClass(std::uintptr_t firstWord, char *text, std::size_t size) noexcept
{
    Dl_info info = {};
    if (!dladdr(reinterpret_cast<const void *>(firstWord), &info) || !info.dli_sname
        || std::strncmp(info.dli_sname, "_ZTV", 4) != 0) {
        return false;
    }
    char name[256];
    copyDemangled(info.dli_sname, name, sizeof(name));
    constexpr std::size_t prefix = sizeof("vtable for ") - 1;
    if (std::strncmp(name, "vtable for ", prefix) != 0)
        return false;
    std::snprintf(text, size, "%s", name + prefix);
    return true;
}

#endif

} // namespace Os

QPOOL_END_NAMESPACE
