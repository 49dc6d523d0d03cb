// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "../os/qpoolelfcopies.h"
#include "qpoolfacts.h"

namespace QPool {

// Looks at the loaded modules, not at their files, which may have been replaced or be inaccessible.
std::uintptr_t Facts::find(const ProcessMemory &memory, const Mappings &mappings, const char *symbol, const char *usual)
{
    // A module takes some ten thousand. Those that a process makes up could take for ever.
    std::uint64_t left = 256 * 1024 * 1024;
    for (bool wanted : { true, false }) {
        for (const Mappings::Entry &entry : mappings.entries()) {
            if (entry.begin != entry.base || (mappings.nameOf(entry).rfind(usual, 0) == 0) != wanted)
                continue;
            const ElfCopies copies(memory.descriptor(), UINTPTR_MAX, &left);
            const ElfReader module(copies, ElfReader::Loaded, entry.begin);
            ElfReader::Symbol found;
            if (module.find(symbol, &found))
                return module.bias() + found.st_value;
        }
    }
    return 0;
}

} // namespace QPool
