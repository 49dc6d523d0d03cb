// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLTYPENAME_H
#define QPOOLTYPENAME_H

#include "../../allocator/qpoolglobal.h"

#include <string_view>

QPOOL_BEGIN_NAMESPACE

// The name of a type as the compiler writes it, for people. Without typeid, which some programs
// lack.
class TypeName
{
public:
    template <class T>
    static constexpr std::string_view of() noexcept
    {
        const std::string_view text = signature<T>();
        return text.substr(Before, text.size() - Around);
    }

private:
    template <class T>
    static constexpr std::string_view signature() noexcept
    {
#if defined(_MSC_VER) && !defined(__clang__)
        return __FUNCSIG__;
#else
        return __PRETTY_FUNCTION__;
#endif
    }

    // The text around the name is the same for all types. The function's own name does not contain
    // "double".
    static constexpr std::string_view Probe = "double";
    static constexpr std::size_t before() noexcept { return signature<double>().find(Probe); }
    static constexpr std::size_t around() noexcept { return signature<double>().size() - Probe.size(); }
    static const std::size_t Before;
    static const std::size_t Around;
};

inline constexpr std::size_t TypeName::Before = TypeName::before();
inline constexpr std::size_t TypeName::Around = TypeName::around();

QPOOL_END_NAMESPACE

#endif // QPOOLTYPENAME_H
