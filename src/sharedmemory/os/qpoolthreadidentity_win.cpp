// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#if defined(_WIN32)

#include "qpoolthreadidentity.h"

#ifndef WIN32_LEAN_AND_MEAN
#  define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

QPOOL_BEGIN_NAMESPACE

namespace Os {

namespace {

constexpr ThreadIdentity::Number threadMask = ThreadIdentity::Flag - 1;

// In steps of some milliseconds; zero if not known.
std::uint32_t startOf(HANDLE thread) noexcept
{
    FILETIME created, exited, kernel, user;
    if (!GetThreadTimes(thread, &created, &exited, &kernel, &user))
        return 0;
    const std::uint64_t time = std::uint64_t(created.dwHighDateTime) << 32 | created.dwLowDateTime;
    return std::uint32_t(time >> 16);
}

} // namespace

ThreadIdentity::Number ThreadIdentity::find() noexcept
{
    s_current = Number(startOf(GetCurrentThread())) << 32 | (GetCurrentThreadId() & threadMask);
    return s_current;
}

void ThreadIdentity::forget() noexcept
{
    s_current = 0;
}

bool ThreadIdentity::isAlive(Number number) noexcept
{
    const HANDLE thread = OpenThread(SYNCHRONIZE | THREAD_QUERY_LIMITED_INFORMATION, FALSE,
                                     DWORD(number & threadMask));
    if (!thread)
        return GetLastError() != ERROR_INVALID_PARAMETER; // no thread has that number
    const auto started = std::uint32_t(number >> 32);
    const std::uint32_t its = startOf(thread);
    const bool alive = WaitForSingleObject(thread, 0) == WAIT_TIMEOUT
            && (started == 0 || its == 0 || its == started);
    CloseHandle(thread);
    return alive;
}

std::uint64_t ThreadIdentity::surroundings() noexcept
{
    return 0;
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // defined(_WIN32)
