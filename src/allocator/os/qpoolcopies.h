// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCOPIES_H
#define QPOOLCOPIES_H

#include "../qpoolglobal.h"

struct dl_phdr_info;

QPOOL_BEGIN_NAMESPACE

/*
    Stops a process in which there are two copies of the pools' state: one in libqpool.so, say, and
    one that a plugin was linked with and does not show. A block of the one freed in the other would
    be taken for a foreign pointer, or for a page that does not exist.

    Each module that the library is linked into has one of these, made when the module is loaded. It
    knows which state the module's own code was bound to by the dynamic linker; usually that is the
    same for all. It then looks through all other modules for theirs. An ELF note leads there, which
    is found in programs that export nothing and in libraries loaded with RTLD_LOCAL, as no symbol
    would be; its form is the same in all versions of the allocator.

    Modules are loaded one at a time, under the dynamic linker's lock, so nothing here is atomic.
*/
class QPOOL_LOCAL StateCopy
{
public:
#if defined(__linux__) && !QPOOL_PRIVATE_COPY && !defined(QPOOL_FREESTANDING)
    explicit StateCopy(const void *state) noexcept;

    // Whether \a module has one, of any state of this kind.
    static bool isIn(const dl_phdr_info &module) noexcept;
#else
    explicit StateCopy(const void *) noexcept { }
#endif
};

QPOOL_END_NAMESPACE

#endif // QPOOLCOPIES_H
