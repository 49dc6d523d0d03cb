// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The front preloaded into a Qt program is not preloaded into the programs that it starts. An IDE
// starts a thousand compilers and shells, each of which lives for milliseconds, and would spend
// part of them on loading a library from which it gains nothing. A shell or an interpreter that
// starts a Qt program passes the front on: what counts is whether the pooled QtCore is loaded with
// the process.
//
// QT_POOL_ALLOCATOR_CHILDREN=1 passes it on in any case.

#include "../qpoolglobal.h"

#include <cstring>
#include <string_view>

extern "C" int qt_pool_allocator_idle() noexcept __attribute__((weak));

static bool isFront(std::string_view entry) noexcept
{
    constexpr std::string_view name = "libqpool-malloc.so";
    entry.remove_prefix(entry.rfind('/') + 1); // npos + 1 is zero
    return entry.rfind(name, 0) == 0;
}

// In place: the variable stays, even if empty, and the dynamic linker ignores an empty one. If it
// were removed, code that expects the auxiliary vector behind the environment would not find it.
static void removeFront(char *list) noexcept
{
    constexpr char separators[] = " :";
    char *out = list;
    for (const char *entry = list; *(entry += std::strspn(entry, separators));) {
        const std::size_t length = std::strcspn(entry, separators);
        if (!isFront({ entry, length })) {
            if (out != list)
                *out++ = ':';
            std::memmove(out, entry, length);
            out += length;
        }
        entry += length;
    }
    *out = '\0';
}

static char *valueOf(char *variable, const char *name) noexcept
{
    const std::size_t length = std::strlen(name);
    return std::strncmp(variable, name, length) == 0 && variable[length] == '='
            ? variable + length + 1 : nullptr;
}

// The C library does not know the environment yet, so use the argument.
__attribute__((constructor)) static void leaveChildren(int, char **, char **environment) noexcept
{
    if (!qt_pool_allocator_idle || !environment)
        return;
    char *list = nullptr;
    for (char **variable = environment; *variable; ++variable) {
        if (char *value = valueOf(*variable, "LD_PRELOAD"))
            list = value;
        else if (const char *wish = valueOf(*variable, "QT_POOL_ALLOCATOR_CHILDREN");
                 wish && std::strcmp(wish, "1") == 0)
            return;
    }
    if (list)
        removeFront(list);
}
