// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#if defined(_WIN32)

#include "qpoolsegmentfile.h"

#include "../../allocator/os/qpoolos.h"

#ifndef WIN32_LEAN_AND_MEAN
#  define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <cstdio>
#include <cstring>

QPOOL_BEGIN_NAMESPACE

namespace Os {

namespace {

// In the session's own namespace, which other users' sessions do not see.
struct Path
{
    explicit Path(const char *name) noexcept
    {
        std::snprintf(text, sizeof text, "Local\\qpool.%s", name);
    }
    char text[288];
};

SegmentResult failure(DWORD reason) noexcept
{
    switch (reason) {
    case ERROR_ALREADY_EXISTS: return SegmentResult::Exists;
    case ERROR_FILE_NOT_FOUND: return SegmentResult::NotFound;
    case ERROR_ACCESS_DENIED: return SegmentResult::NoPermission;
    case ERROR_INVALID_HANDLE: return SegmentResult::NotOurs; // an object of another kind
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_COMMITMENT_LIMIT:
    case ERROR_DISK_FULL: return SegmentResult::NoSpace;
    default: return SegmentResult::Failed;
    }
}

HANDLE toHandle(std::intptr_t handle) noexcept { return reinterpret_cast<HANDLE>(handle); }

} // namespace

SegmentResult SegmentFile::make(const char *name, std::size_t bytes) noexcept
{
    const std::uint64_t wide = bytes;
    const HANDLE handle = CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE | SEC_COMMIT,
                                             DWORD(wide >> 32), DWORD(wide), Path(name).text);
    const DWORD reason = GetLastError();
    if (!handle)
        return failure(reason);
    if (reason == ERROR_ALREADY_EXISTS) {
        CloseHandle(handle);
        return SegmentResult::Exists;
    }
    m_handle = reinterpret_cast<std::intptr_t>(handle);
    m_bytes = bytes;
    return SegmentResult::Done;
}

SegmentResult SegmentFile::publish(const char *) noexcept
{
    return SegmentResult::Done;
}

SegmentResult SegmentFile::open(const char *name, bool readOnly) noexcept
{
    const HANDLE handle = OpenFileMappingA(readOnly ? FILE_MAP_READ : FILE_MAP_READ | FILE_MAP_WRITE,
                                           FALSE, Path(name).text);
    if (!handle)
        return failure(GetLastError());
    m_handle = reinterpret_cast<std::intptr_t>(handle);
    MEMORY_BASIC_INFORMATION information;
    void *const view = MapViewOfFile(handle, FILE_MAP_READ, 0, 0, 0);
    if (!view) {
        const DWORD reason = GetLastError();
        close();
        return failure(reason);
    }
    const bool known = VirtualQuery(view, &information, sizeof information) != 0;
    UnmapViewOfFile(view);
    if (!known) {
        close();
        return SegmentResult::Failed;
    }
    m_bytes = information.RegionSize;
    return SegmentResult::Done;
}

SegmentResult SegmentFile::read(void *to, std::size_t bytes) const noexcept
{
    if (bytes > m_bytes)
        return SegmentResult::TooShort;
    const void *const view = MapViewOfFile(toHandle(m_handle), FILE_MAP_READ, 0, 0, bytes);
    if (!view)
        return failure(GetLastError());
    std::memcpy(to, view, bytes);
    UnmapViewOfFile(view);
    return SegmentResult::Done;
}

SegmentResult SegmentFile::fill() noexcept
{
    return SegmentResult::Done;
}

SegmentResult SegmentFile::mapAt(void *address) noexcept
{
    void *const memory =
            MapViewOfFileEx(toHandle(m_handle), FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, m_bytes, address);
    if (!memory) {
        const DWORD reason = GetLastError();
        return reason == ERROR_INVALID_ADDRESS ? SegmentResult::AddressTaken : failure(reason);
    }
    m_memory = memory;
    return SegmentResult::Done;
}

SegmentResult SegmentFile::map(void *address) noexcept
{
    if (address || sizeof(void *) < 8)
        return mapAt(address);
    // The system places programs, libraries and heaps near the lower and the upper end of the 47
    // bits.
    constexpr std::uint64_t begin = 0x2000'0000'0000;
    constexpr std::uint64_t room = 0x2000'0000'0000;
    constexpr std::uint64_t step = 2 * 1024 * 1024;
    SegmentResult result = SegmentResult::Failed;
    for (int attempt = 0; attempt < 16 && m_bytes < room - step; ++attempt) {
        const std::uint64_t index = randomNumber() % ((room - m_bytes) / step);
        result = mapAt(reinterpret_cast<void *>(std::uintptr_t(begin + index * step)));
        if (result == SegmentResult::Done)
            break;
    }
    return result;
}

// The name would disappear with the last handle.
void SegmentFile::keepOnlyMemory() noexcept { }

void SegmentFile::close() noexcept
{
    if (m_memory)
        UnmapViewOfFile(m_memory);
    if (m_handle != -1)
        CloseHandle(toHandle(m_handle));
    m_memory = nullptr;
    m_handle = -1;
    m_bytes = 0;
}

// A mapping and its name disappear when the last process has closed it.
SegmentResult SegmentFile::remove(const char *) noexcept
{
    return SegmentResult::Unsupported;
}

bool SegmentFile::isMappedBy(std::uint32_t, const void *) noexcept { return true; }

void SegmentFile::list(Visit, void *) { }

} // namespace Os

QPOOL_END_NAMESPACE

#endif // defined(_WIN32)
