// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTRACE_H
#define QPOOLTRACE_H

#include "../qpoolglobal.h"

// Addresses of code, and their names: for the reports of level 2. A system that cannot provide them
// returns nothing.

QPOOL_BEGIN_NAMESPACE

namespace Os {

// Stores the return addresses of the calling thread, the innermost first; returns how many. Takes
// no lock and allocates nothing with glibc 2.35 and later.
unsigned callers(void **addresses, unsigned most) noexcept;

// Stores the function that contains \a address and the offset in it, otherwise the module and the
// offset; always null-terminated. May allocate: the process is about to end.
void nameOfCode(const void *address, char *text, std::size_t size) noexcept;

// Stores the class whose objects begin with \a firstWord. Returns false if that is not the address
// of a vtable that its module exports.
bool nameOfClass(std::uintptr_t firstWord, char *text, std::size_t size) noexcept;

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLTRACE_H
