// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The upper half of the addresses of a 32-bit process is negative in an off_t of 32 bits.
#ifndef _FILE_OFFSET_BITS
#  define _FILE_OFFSET_BITS 64
#endif

#include "qpoolelfcopies.h"

#if defined(__ELF__) && !defined(QPOOL_FREESTANDING)

#include <cerrno>
#include <cstring>

#include <unistd.h>

QPOOL_BEGIN_NAMESPACE

bool ElfCopies::read(std::uintptr_t place, void *to, std::size_t size) const noexcept
{
    if (place > end() || size > end() - place)
        return false;
    auto *target = static_cast<char *>(to);
    while (size > 0) {
        if (place - m_begin >= m_size) {
            m_begin = place - place % WindowSize;
            m_size = copy(m_begin, m_window, WindowSize);
            if (place - m_begin >= m_size)
                return false;
        }
        const std::size_t offset = place - m_begin;
        const std::size_t now = size < m_size - offset ? size : m_size - offset;
        std::memcpy(target, m_window + offset, now);
        place += now;
        target += now;
        size -= now;
    }
    return true;
}

std::size_t ElfCopies::copy(std::uintptr_t place, void *to, std::size_t size) const noexcept
{
    if (*m_left < size)
        return 0;
    *m_left -= size;
    ssize_t count;
    do {
        count = pread(m_file, to, size, off_t(place));
    } while (count < 0 && errno == EINTR);
    return count > 0 ? std::size_t(count) : 0;
}

QPOOL_END_NAMESPACE

#endif
