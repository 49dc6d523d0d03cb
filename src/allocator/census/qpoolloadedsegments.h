// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLOADEDSEGMENTS_H
#define QPOOLLOADEDSEGMENTS_H

#include "qpoolprocessmemory.h"

#include <cstring>

#include <link.h>

namespace QPool {

// Calls \a visit for each program header of the module that is loaded at \a base, with the header and with
// the bias that is added to the addresses in it. Reads the loaded module, not its file, which may have been
// replaced or be inaccessible. Returns false if there is no module at \a base, or it cannot be read.
template <class Visit>
bool forEachLoadedSegment(const ProcessMemory &memory, std::uintptr_t base, Visit &&visit)
{
    constexpr unsigned mostSegments = 64;
    ElfW(Ehdr) header;
    if (!memory.read(base, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0
        || header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
        || header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phnum > mostSegments) {
        return false;
    }
    ElfW(Phdr) segments[mostSegments];
    if (!memory.read(base + header.e_phoff, segments, header.e_phnum * sizeof(segments[0])))
        return false;
    const std::uintptr_t bias = header.e_type == ET_DYN ? base : 0;
    for (unsigned i = 0; i < header.e_phnum; ++i)
        visit(segments[i], bias);
    return true;
}

} // namespace QPool

#endif // QPOOLLOADEDSEGMENTS_H
