// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLENVIRONMENT_H
#define QPOOLENVIRONMENT_H

#include "../qpoolglobal.h"

#include <cstdlib>

#if defined(__linux__) && !defined(__GLIBC__)
#  include <sys/auxv.h>
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
#  include <unistd.h>
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

// Returns an environment variable; null if it is not set. Null, too, in a program that has more
// rights than the user who started it, such as a set-user-ID program: that user chose the
// environment, and must not learn what the program does, or change how it works.
inline const char *environment(const char *name) noexcept
{
#if defined(__GLIBC__)
    return secure_getenv(name);
#elif defined(__linux__)
    return getauxval(AT_SECURE) ? nullptr : std::getenv(name);
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
    return issetugid() ? nullptr : std::getenv(name);
#else
    return std::getenv(name);
#endif
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLENVIRONMENT_H
