// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsegmentfile.h"

#include <cstring>
#include <utility>

// The common part of all systems. The rest: qpoolsegmentfile_unix.cpp, qpoolsegmentfile_win.cpp.

QPOOL_BEGIN_NAMESPACE

namespace Os {

SegmentFile::SegmentFile(SegmentFile &&other) noexcept
{
    *this = std::move(other);
}

SegmentFile &SegmentFile::operator=(SegmentFile &&other) noexcept
{
    if (this != &other) {
        close();
        m_handle = std::exchange(other.m_handle, -1);
        m_memory = std::exchange(other.m_memory, nullptr);
        m_bytes = std::exchange(other.m_bytes, 0);
        std::memcpy(m_temporary, other.m_temporary, sizeof m_temporary);
        other.m_temporary[0] = 0;
    }
    return *this;
}

} // namespace Os

QPOOL_END_NAMESPACE
