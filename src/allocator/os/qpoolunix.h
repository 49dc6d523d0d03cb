// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLUNIX_H
#define QPOOLUNIX_H

#include "qpoolkepterrno.h"

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>

QPOOL_BEGIN_NAMESPACE

// What the files for UNIX systems share.
namespace Os {

// Maps anonymous memory at a multiple of \a alignment, a power of two; returns null if the system
// refuses. \a flags are added to MAP_PRIVATE and MAP_ANONYMOUS.
inline void *mapAligned(std::size_t bytes, std::size_t alignment, int protection,
                        int flags) noexcept
{
    // The system aligns only to its own pages: map more, then unmap the ends.
    const std::size_t total = bytes + alignment;
    if (total < bytes)
        return nullptr;
    void *start = mmap(nullptr, total, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (start == MAP_FAILED)
        return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(start);
    const std::uintptr_t aligned = (address + alignment - 1) & ~std::uintptr_t(alignment - 1);
    if (const std::size_t before = aligned - address)
        munmap(start, before);
    if (const std::size_t after = total - bytes - (aligned - address))
        munmap(reinterpret_cast<void *>(aligned + bytes), after);
    return reinterpret_cast<void *>(aligned);
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLUNIX_H
