// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLELFIMAGE_P_H
#define QPOOLELFIMAGE_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Other modules than QtCore do not find the allocator's headers; for them this header, and those that need
// it, are empty.
#if defined(__ELF__) && __has_include("os/qpoolelf.h")
#define QPOOL_HAS_ELF_IMAGE

#include "os/qpoolelf.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What the module check reads of a program or library, in memory or in a file. Like the reader, it trusts
// nothing. Strings are the source's.
class QPOOL_LOCAL QPoolElfImage
{
public:
    explicit QPoolElfImage(const QPool::ElfReader &reader);

    const QPool::ElfReader &reader() const { return m_reader; }

    // Whether it has the note of qpoolmark.h.
    static bool isMarked(const QPool::ElfReader &reader) { return reader.findNote("QPool", 4) != 0; }
    bool isMarked() const { return isMarked(m_reader); }
    // Whether it is linked to one of Qt's libraries.
    static bool usesQt(const QPool::ElfReader &reader);
    bool usesQt() const { return usesQt(m_reader); }

    struct Symbol
    {
        const char *name;
        bool isDefined; // the module itself defines it, too
    };
    // The symbols that the dynamic linker binds for the module: those that its relocations name. Symbols
    // that the module defines and that were bound when it was linked, as with -Bsymbolic, are not among
    // them. The hash tables would not do: they lack the imports of a module that exports nothing.
    std::vector<Symbol> boundSymbols() const;

    // Whether the module exports a symbol of this name.
    bool defines(const char *symbol) const { return addressOf(symbol) != 0; }

    // The strings of all entries of this kind: DT_NEEDED, DT_SONAME, DT_RUNPATH.
    std::vector<const char *> strings(ElfW(Sxword) tag) const;

    // Whether the module exports the type information of the class with this mangled name, for example
    // 6QEvent. If so, \a bases are the names of its base classes. For files only: in memory, use
    // std::type_info.
    bool findBases(const std::string &type, std::vector<std::string> *bases) const;

private:
    struct Pointer;
    struct Relocations
    {
        std::uintptr_t address;
        std::uintptr_t size;
        bool haveAddends;
    };

    std::uintptr_t addressOf(const char *name) const;
    template <typename Visitor> void forEachRelocation(Visitor &&visit) const;
    Pointer pointerAt(std::uintptr_t address) const;
    std::vector<std::uintptr_t> basePlaces(std::uintptr_t information) const;
    std::string nameOfType(std::uintptr_t information) const;

    QPool::ElfReader m_reader;
    Relocations m_relocations[3];
};

#endif

#endif // QPOOLELFIMAGE_P_H
