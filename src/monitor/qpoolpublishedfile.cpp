// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolpublishedfile.h"

#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#ifndef F_GET_SEALS
#define F_GET_SEALS 1034
#define F_SEAL_SHRINK 0x0002
#endif

namespace QPool {

// A larger mapping would waste address space, and no process publishes as much.
static constexpr off_t LargestSegment = off_t(1) << 30;

PublishedFile::~PublishedFile()
{
    close();
}

void PublishedFile::close()
{
    if (m_memory)
        munmap(const_cast<void *>(std::exchange(m_memory, nullptr)), m_bytes);
    m_file = Descriptor();
}

PublishedFile::Result PublishedFile::open(const ProcEntry &entry, const std::string &name,
                                          std::string *message)
{
    close();
    m_file = entry.openMemoryFile(name, &m_number);
    if (!m_file)
        return Absent;
    struct stat status;
    const int seals = fcntl(m_file.get(), F_GET_SEALS);
    if (fstat(m_file.get(), &status) != 0 || seals < 0 || !(seals & F_SEAL_SHRINK)
        || status.st_size <= 0 || status.st_size > LargestSegment) {
        *message = "it is not sealed, or has no size";
        return seals >= 0 && !(seals & F_SEAL_SHRINK) ? Unsealed : Unusable;
    }
    void *memory = mmap(nullptr, std::size_t(status.st_size), PROT_READ, MAP_SHARED, m_file.get(),
                        0);
    if (memory == MAP_FAILED) {
        *message = "this process has no address space left for it";
        return Unusable;
    }
    m_memory = memory;
    m_bytes = std::size_t(status.st_size);
    return Mapped;
}

} // namespace QPool
