// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTRACE_H
#define QPOOLTRACE_H

#include "../qpoolglobal.h"

// Where code is, and what it is called: for the reports of builds of level 2. A system that cannot
// tell answers nothing.

QPOOL_BEGIN_NAMESPACE

namespace Os {

// The return addresses of the calling thread, the innermost first; returns how many. Takes no lock and
// allocates nothing with glibc 2.35 and later.
unsigned callers(void **addresses, unsigned most) noexcept;

// The function that \a address is in, with its offset, or else the module with its; always ends in a
// zero. May allocate: the process is about to end.
void nameOfCode(const void *address, char *text, std::size_t size) noexcept;

// The class whose objects begin with \a firstWord. False if that is not the address of a vtable that
// its module exports.
bool nameOfClass(std::uintptr_t firstWord, char *text, std::size_t size) noexcept;

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLTRACE_H
