// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLVTABLESYMBOLS_H
#define QPOOLVTABLESYMBOLS_H

#include "../os/qpoolelf.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace QPool {

// The vtables in the symbol tables of a program's or library's file. Nothing in the file is trusted: a name
// that does not end, that is longer than the demangler reads or has other characters than mangled names have,
// is treated as missing.
class VtableSymbols
{
public:
    static constexpr std::size_t MostName = 1024;

    // Takes the memory for the names away from \a room, which files may share, and leaves out names for
    // which too little is left.
    VtableSymbols(const ElfSource &file, std::size_t *room);

    // The mangled name of the class, for example 7QObject, whose vtable has that link address; empty if the
    // file has no such symbol.
    std::string classAt(std::uintptr_t address) const;

    std::size_t count() const { return m_symbols.size(); }

private:
    void readTable(const ElfSource &file, const ElfW(Shdr) &symbols, const ElfW(Shdr) &names,
                   std::size_t *room);

    std::vector<std::pair<std::uintptr_t, std::string>> m_symbols; // by address
};

} // namespace QPool

#endif // QPOOLVTABLESYMBOLS_H
