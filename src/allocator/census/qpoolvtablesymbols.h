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

// The vtables that a program's or library's file names in its symbol tables. Nothing in the file is
// trusted: what leads outside of it is not there.
class VtableSymbols
{
public:
    // \a file is closed; -1 for a module that has none to be read.
    explicit VtableSymbols(int file);

    // The mangled name of the class (as 7QObject) whose vtable is linked for that address; empty if
    // the file names none there.
    std::string classAt(std::uintptr_t address) const;

private:
    void read(const char *data, std::size_t size);

    std::vector<std::pair<std::uintptr_t, std::string>> m_symbols; // by address
};

} // namespace QPool

#endif // QPOOLVTABLESYMBOLS_H
