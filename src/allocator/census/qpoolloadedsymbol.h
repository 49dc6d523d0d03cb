// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLOADEDSYMBOL_H
#define QPOOLLOADEDSYMBOL_H

#include "qpoolprocessmemory.h"

namespace QPool {

// The address of a symbol that the module loaded at \a base exports; 0 if there is none. Reads the loaded
// module, not its file, which may have been replaced or be inaccessible.
std::uintptr_t findLoadedSymbol(const ProcessMemory &memory, std::uintptr_t base, const char *name);

} // namespace QPool

#endif // QPOOLLOADEDSYMBOL_H
