// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolprocessors.h"

#if defined(_WIN32)
#  ifndef WIN32_LEAN_AND_MEAN
#    define WIN32_LEAN_AND_MEAN
#  endif
#  include <windows.h>
#else
#  include "../../allocator/os/qpoolunix.h"

#  include <unistd.h>
#  if defined(__linux__)
#    include <sched.h>
#  elif defined(__FreeBSD__)
#    include <sys/param.h>
#    include <sys/cpuset.h>
#  endif
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

namespace {

// Returns 0 if the system does not report it.
unsigned processorsByAffinity() noexcept
{
#if defined(_WIN32)
    DWORD_PTR ofProcess = 0, ofSystem = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &ofProcess, &ofSystem))
        return 0;
    // The function fails for a process whose threads are spread over several processor groups.
    unsigned count = 0;
    for (; ofProcess; ofProcess &= ofProcess - 1)
        ++count;
    return count;
#elif defined(__linux__)
    // The system refuses a set that is too small: try room for 1024 processors, then for the most
    // that Linux can be built for, eight times as many.
    constexpr int most = 8;
    cpu_set_t sets[most];
    if (sched_getaffinity(0, sizeof sets[0], sets) == 0)
        return unsigned(CPU_COUNT(sets));
    if (errno == EINVAL && sched_getaffinity(0, sizeof sets, sets) == 0)
        return unsigned(CPU_COUNT_S(sizeof sets, sets));
    return 0;
#elif defined(__FreeBSD__)
    cpuset_t set;
    if (cpuset_getaffinity(CPU_LEVEL_WHICH, CPU_WHICH_TID, -1, sizeof set, &set) == 0)
        return unsigned(CPU_COUNT(&set));
    return 0;
#else
    return 0;
#endif
}

unsigned processorsOnline() noexcept
{
#if defined(_WIN32)
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors;
#else
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? unsigned(count) : 1;
#endif
}

} // namespace

unsigned usableProcessors() noexcept
{
#if !defined(_WIN32)
    const KeptErrno kept;
#endif
    unsigned count = processorsByAffinity();
    if (count == 0)
        count = processorsOnline();
    return count > 0 ? count : 1;
}

} // namespace Os

QPOOL_END_NAMESPACE
