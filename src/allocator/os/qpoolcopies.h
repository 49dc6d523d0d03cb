// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCOPIES_H
#define QPOOLCOPIES_H

#include "../qpoolglobal.h"

struct dl_phdr_info;

QPOOL_BEGIN_NAMESPACE

/*
    Stops a process that contains two copies of the pools' state: for example, one in libqpool.so
    and one in a plugin that was linked with the static library and hides it. If a block of one copy
    is freed in the other, it is treated as a foreign pointer, or as part of a page that does not
    exist.

    Each module that the library is linked into has one of these objects, constructed when the
    module is loaded. It knows to which state the dynamic linker bound the module's own code;
    usually it is the same state for all modules. It then searches all other modules for their
    objects. It finds them by an ELF note: unlike a symbol, a note is found in programs that export
    nothing and in libraries loaded with RTLD_LOCAL. Its layout is the same in all versions of the
    allocator.

    The dynamic linker loads one module at a time, under its lock, so nothing here is atomic.
*/
class QPOOL_LOCAL StateCopy
{
public:
#if defined(__linux__) && !QPOOL_PRIVATE_COPY && !defined(QPOOL_FREESTANDING)
    explicit StateCopy(const void *state) noexcept;

    // Whether \a module has such an object, for any state of this kind.
    static bool isIn(const dl_phdr_info &module) noexcept;
#else
    explicit StateCopy(const void *) noexcept { }
#endif
};

/*
    State of which a process has one, whatever modules contain the library. A template only for its
    symbols: the object is defined in the library alone, which instantiates it, and still the dynamic
    linker keeps one for all modules that contain the library. A variable of an ordinary class would be
    one or the other: defined in each module that uses it, or a separate one in each library.
*/
template <class State>
struct OnePerProcess
{
    static inline State value;
};

QPOOL_END_NAMESPACE

#endif // QPOOLCOPIES_H
