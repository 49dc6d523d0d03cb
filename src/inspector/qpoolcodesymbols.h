// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCODESYMBOLS_H
#define QPOOLCODESYMBOLS_H

#include "census/qpoolmappings.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace QPool {

/*
    Names the code of a process by the files of its modules, outside of the process: functions with file and line, also
    those in line, if there is debug information, in the file itself or below /usr/lib/debug; otherwise the functions
    that symbol tables name; otherwise module and offset. By libdw of elfutils.

    The process decides what it has mapped: only the mapped files themselves are opened, see SymbolFile, and what
    belongs to them below /usr/lib/debug.
*/
class CodeSymbols
{
public:
    struct Place
    {
        std::string function; // may be shown on any terminal; never empty
        std::string file; // empty: not known
        int line = 0;
        std::string module;
        bool isNamed = false; // otherwise the function is the module and an offset
    };

    CodeSymbols(const ProcessMemory &memory, const Mappings &mappings);
    ~CodeSymbols();
    CodeSymbols(const CodeSymbols &) = delete;
    CodeSymbols &operator=(const CodeSymbols &) = delete;

    // The functions that contain the call before a return address: those in line first, then the one they are in.
    const std::vector<Place> &find(std::uintptr_t returnAddress);

private:
    class Files;
    // The process decides how many there are; those beyond have no names. What is recorded has fewer.
    static constexpr std::size_t MostAddresses = std::size_t(1) << 20;

    const Mappings &m_mappings;
    std::unique_ptr<Files> m_files;
    std::map<std::uintptr_t, std::vector<Place>> m_known;
    std::vector<Place> m_unnamed { 1 };
};

} // namespace QPool

#endif // QPOOLCODESYMBOLS_H
