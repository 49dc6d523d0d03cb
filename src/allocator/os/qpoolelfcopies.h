// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLELFCOPIES_H
#define QPOOLELFCOPIES_H

#include "qpoolelf.h"

#if defined(__ELF__) && !defined(QPOOL_FREESTANDING)

QPOOL_BEGIN_NAMESPACE

// Copies of the bytes of an open file: a program or library, or the memory of a process, /proc/PID/mem. The
// file is never mapped, so that one that others make shorter meanwhile is a failure to read, not a fault.
class QPOOL_LOCAL ElfCopies : public ElfSource
{
public:
    // Places are from 0 to \a end. Takes what it copies away from \a left, which several sources may share,
    // and does not read when too little is left.
    ElfCopies(int file, std::uintptr_t end, std::uint64_t *left) noexcept
        : ElfSource(end), m_file(file), m_left(left)
    {
    }

    bool read(std::uintptr_t place, void *to, std::size_t size) const noexcept override;

private:
    std::size_t copy(std::uintptr_t place, void *to, std::size_t size) const noexcept;

    // No larger than a page: behind it, a process may have nothing mapped.
    static constexpr std::size_t WindowSize = 4096;

    int m_file;
    std::uint64_t *m_left;
    // The last part that was read, which most reads are near.
    mutable std::uintptr_t m_begin = 0;
    mutable std::size_t m_size = 0;
    mutable char m_window[WindowSize];
};

QPOOL_END_NAMESPACE

#endif

#endif // QPOOLELFCOPIES_H
