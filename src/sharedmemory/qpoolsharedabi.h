// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDABI_H
#define QPOOLSHAREDABI_H

#include "../allocator/qpoolglobal.h"

#include <string> // for the standard library's macros, and as a sample of its layouts

// The end of QPOOL_ABI_NAMESPACE.
#define QPOOL_LEVEL_NAME(level, line) QPOOL_LEVEL_NAME_OF(level, line)
#define QPOOL_LEVEL_NAME_OF(level, line) "_hardened" #level "_line" #line

QPOOL_BEGIN_NAMESPACE

/*
    What two processes must agree on to use one container: how it was compiled. Kept as a line of
    text, for people to read; processes compare it byte for byte.

    It distinguishes compilers, standard libraries and their versions, word sizes, and the debug
    modes that change the layout of containers. It does not detect other options that change
    layouts, such as -fpack-struct, nor whether the program's own types are the same: for roots, the
    size, the alignment and the name of the type are compared.
*/
struct SharedAbi
{
    static constexpr std::size_t TextBytes = 96;

    const char *compiler;
    unsigned compilerVersion;
    const char *library;
    unsigned libraryVersion;
    unsigned options; // one bit each

    // For the code that is being compiled, not for the library: the linker must not take one of two.
    QPOOL_ALWAYS_INLINE static constexpr SharedAbi own() noexcept;

    // Writes all of \a text.
    void write(char (&text)[TextBytes]) const noexcept;

    // FNV-1a, by Fowler, Noll and Vo, of the text without the places where it contains \a left.
    static constexpr std::uint64_t hashOf(const char *text, const char *left = "") noexcept
    {
        std::uint64_t hash = 0xCBF29CE484222325u;
        while (*text) {
            std::size_t length = 0;
            while (left[length] && text[length] == left[length])
                ++length;
            if (length > 0 && !left[length]) {
                text += length;
                continue;
            }
            hash = (hash ^ std::uint8_t(*text++)) * 0x100000001B3u;
        }
        return hash;
    }

    // What the namespace says of the level and the cache line. Nothing in a segment depends on these,
    // so processes that differ in them share it, and the names of types must be the same for them.
    static constexpr const char *levelInNames() noexcept
    {
        return QPOOL_LEVEL_NAME(QPOOL_HARDENED, QPOOL_CACHE_LINE);
    }

    // The hash of a type's name as the compiler writes it. Needs no RTTI.
    template <class T>
    static constexpr std::uint64_t typeHash() noexcept
    {
#if defined(_MSC_VER) && !defined(__clang__)
        return hashOf(__FUNCSIG__, levelInNames());
#else
        return hashOf(__PRETTY_FUNCTION__, levelInNames());
#endif
    }
};

#undef QPOOL_LEVEL_NAME
#undef QPOOL_LEVEL_NAME_OF

constexpr SharedAbi SharedAbi::own() noexcept
{
    SharedAbi abi {};
#if defined(__clang__)
    abi.compiler = "Clang";
    abi.compilerVersion = __clang_major__;
#elif defined(__GNUC__)
    abi.compiler = "GCC";
    abi.compilerVersion = __GNUC__;
#elif defined(_MSC_VER)
    abi.compiler = "MSVC";
    abi.compilerVersion = _MSC_VER / 100;
#else
    abi.compiler = "unknown";
#endif
#if defined(_LIBCPP_VERSION)
    abi.library = "libc++";
    abi.libraryVersion = _LIBCPP_VERSION / 1000;
#elif defined(_GLIBCXX_RELEASE)
    abi.library = "libstdc++";
    abi.libraryVersion = _GLIBCXX_RELEASE;
#elif defined(_MSVC_STL_VERSION)
    abi.library = "MSVC";
    abi.libraryVersion = _MSVC_STL_VERSION;
#else
    abi.library = "unknown";
#endif
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
    abi.options |= 1;
#endif
#if defined(_GLIBCXX_DEBUG)
    abi.options |= 2;
#endif
#if defined(_ITERATOR_DEBUG_LEVEL) && _ITERATOR_DEBUG_LEVEL
    abi.options |= 4u << _ITERATOR_DEBUG_LEVEL;
#endif
#if defined(_LIBCPP_ABI_VERSION)
    abi.options |= unsigned(_LIBCPP_ABI_VERSION) << 8;
#endif
    return abi;
}

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDABI_H
