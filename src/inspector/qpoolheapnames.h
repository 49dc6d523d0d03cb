// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHEAPNAMES_H
#define QPOOLHEAPNAMES_H

#include "qpoolcodesymbols.h"

#include <string>

// What functions are to someone who looks for what grows.
namespace QPool {
namespace HeapNames {

// Part of an allocator: malloc(), operator new and what they call.
bool isAllocator(const CodeSymbols::Place &place);

// A container's or a string's, which allocates for whoever calls it.
bool isHelper(const CodeSymbols::Place &place);

// Has a line in a program's own text, or a library's: in no header, and not in the C library.
bool isSource(const CodeSymbols::Place &place);

// Delivers events, or waits for them.
bool isEventLoop(const CodeSymbols::Place &place);

// Without its parameters.
std::string shortName(const std::string &function);

// With file and line, if they are known.
std::string titleOf(const CodeSymbols::Place &place);

} // namespace HeapNames
} // namespace QPool

#endif // QPOOLHEAPNAMES_H
