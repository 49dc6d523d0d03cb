// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolheapnames.h"

#include <algorithm>
#include <cstring>

namespace QPool {

namespace {

// Where a function's name begins, without its parameters: behind the type that it returns, which demangled templates
// have.
std::size_t beginOf(const std::string &name)
{
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<' || name[i] == '(')
            ++depth;
        else if (name[i] == '>' || name[i] == ')')
            --depth;
        else if (name[i] == ' ' && depth == 0)
            begin = i + 1;
    }
    return begin;
}

template <std::size_t Count>
bool beginsWith(const std::string &function, const char *const (&prefixes)[Count])
{
    const std::string name = HeapNames::shortName(function);
    const std::size_t begin = beginOf(name);
    return std::any_of(std::begin(prefixes), std::end(prefixes), [&](const char *prefix) {
        return name.compare(begin, std::strlen(prefix), prefix) == 0;
    });
}

} // namespace

namespace HeapNames {

bool isAllocator(const CodeSymbols::Place &place)
{
    static constexpr const char *const functions[] = {
        "malloc", "calloc", "realloc", "reallocarray", "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc"
    };
    if (place.module.rfind("libqpool-malloc", 0) == 0)
        return true;
    if (!place.isNamed)
        return false;
    static constexpr const char *const prefixes[] = { "QPool::", "QPoolDomains::" };
    return std::any_of(std::begin(functions), std::end(functions),
                       [&](const char *function) { return place.function == function; })
            || place.function.find("operator new") != std::string::npos || beginsWith(place.function, prefixes);
}

bool isHelper(const CodeSymbols::Place &place)
{
    static constexpr const char *const prefixes[] = {
        "std::", "__gnu_cxx::", "QArrayData", "QTypedArrayData", "QtPrivate::", "QHashPrivate::",
        "QtMetaContainerPrivate::", "QString::", "QByteArray::", "QUtf8::", "QVariant::", "QVariantPrivate::",
        "g_malloc", "g_realloc", "g_strdup", "g_slice_alloc", "strdup", "strndup"
    };
    return place.isNamed && beginsWith(place.function, prefixes);
}

bool isEventLoop(const CodeSymbols::Place &place)
{
    static constexpr const char *const prefixes[] = { "QCoreApplication::notifyInternal2", "QEventLoop::exec" };
    return place.isNamed && beginsWith(place.function, prefixes);
}

bool isSource(const CodeSymbols::Place &place)
{
    const auto isModule = [&](const char *prefix) { return place.module.rfind(prefix, 0) == 0; };
    return !place.file.empty() && place.file.find("/include/") == std::string::npos && !isHelper(place)
            && !isModule("libc.so.") && !isModule("ld-linux");
}

std::string shortName(const std::string &function)
{
    int depth = 0;
    for (std::size_t i = 0; i < function.size(); ++i) {
        const bool isOperator = i >= 8 && function.compare(i - 8, 8, "operator") == 0;
        if (function[i] == '<' && !isOperator)
            ++depth;
        else if (function[i] == '>' && depth > 0)
            --depth;
        else if (function[i] == '(' && depth == 0 && i > 0 && !isOperator
                 && function.compare(i, 12, "(anonymous n") != 0)
            return function.substr(0, i);
    }
    return function;
}

std::string titleOf(const CodeSymbols::Place &place)
{
    std::string title = shortName(place.function);
    if (!place.file.empty()) {
        const std::size_t slash = place.file.rfind('/');
        title += " (" + place.file.substr(slash == std::string::npos ? 0 : slash + 1);
        if (place.line > 0)
            title += ':' + std::to_string(place.line);
        title += ')';
    } else if (place.isNamed && !place.module.empty()) {
        title += " [" + place.module + ']';
    }
    return title;
}

} // namespace HeapNames

} // namespace QPool
