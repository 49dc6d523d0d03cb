// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLDEMANGLE_H
#define QPOOLDEMANGLE_H

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include <cxxabi.h>

namespace QPool {

// The name as in the program's text; the mangled name if that can't be had.
//
// Names may be another's, who wants the demangler to take all memory. A name may refer back to parts of itself,
// such as S_ or T0_, and each such reference can double what comes out: 160 letters make 27 MB. Also, each
// expansion of a pack, Dp or sp, may repeat a part as often as the name has letters. The limit leaves names
// of 100 letters 15 references, which is more than nearly all classes have. The length limits the
// recursion, too; longer names are not demangled by GCC's library at all.
inline std::string demangled(const std::string &mangled)
{
    constexpr std::size_t longest = 1024;
    constexpr std::size_t most = 4 * 1024 * 1024;
    constexpr std::size_t longestResult = 4096;
    // Names that are not unique across modules begin with a star.
    const char *name = mangled.c_str() + (mangled[0] == '*');
    const std::size_t length = std::strlen(name);
    if (length > longest)
        return name;
    std::size_t estimate = length;
    for (const char *at = name; *at && estimate <= most; ++at) {
        const bool isReference = (*at == 'S' || *at == 'T')
                && at[1 + std::strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '_';
        const bool isPack = (*at == 'D' || *at == 's') && at[1] == 'p';
        estimate *= isReference ? 2 : isPack ? length : 1;
    }
    if (estimate > most)
        return name;
    int status = 0;
    char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
    std::string result = status == 0 && text && std::strlen(text) <= longestResult ? text : name;
    std::free(text);
    return result;
}

} // namespace QPool

#endif // QPOOLDEMANGLE_H
