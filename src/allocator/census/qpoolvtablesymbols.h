// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLVTABLESYMBOLS_H
#define QPOOLVTABLESYMBOLS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace QPool {

// The vtables in the symbol tables of a program's or library's file. Nothing in the file is trusted: an
// entry that leads outside of it is treated as missing.
class VtableSymbols
{
public:
    // Closes \a file, which is -1 if the module has no readable file.
    explicit VtableSymbols(int file);

    // The mangled name of the class, for example 7QObject, whose vtable has that link address; empty if the
    // file has no such symbol.
    std::string classAt(std::uintptr_t address) const;

private:
    void read(const char *data, std::size_t size);

    std::vector<std::pair<std::uintptr_t, std::string>> m_symbols; // by address
};

} // namespace QPool

#endif // QPOOLVTABLESYMBOLS_H
