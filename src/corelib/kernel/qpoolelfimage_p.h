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

#if defined(__ELF__)

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <link.h>

/*
    The parts of a program or library that the dynamic linker reads, in memory or in a file. Nothing is
    trusted: an entry whose address or size leads outside of the image is treated as missing.

    Strings point into the image.
*/
class QPoolElfImage
{
public:
    // A part of the image, at the address that it is linked for.
    struct Segment
    {
        std::uintptr_t address;
        std::size_t size;
        const char *data;
    };

    // Whether the note of qpoolmark.h is among the \a size bytes of \a notes.
    static bool hasMark(const char *notes, std::size_t size);

    QPoolElfImage() = default;
    // \a base is the load address minus the link address. The section at \a dynamic ends with DT_NULL, or
    // at the end of its segment.
    QPoolElfImage(std::vector<Segment> segments, std::uintptr_t dynamic, std::uintptr_t base = 0);

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

    const char *at(std::uintptr_t address, std::size_t size) const;
    template <typename Value> bool read(std::uintptr_t address, Value *value) const;
    std::uintptr_t value(ElfW(Sxword) tag) const;
    std::uintptr_t place(ElfW(Sxword) tag) const;
    const char *string(std::uintptr_t offset) const;
    bool symbol(std::uint32_t index, ElfW(Sym) *symbol) const;
    const char *nameOf(std::uint32_t index) const;
    bool isExported(std::uint32_t index, const char *name, std::uintptr_t *address) const;
    std::uintptr_t addressOf(const char *name) const;
    std::uintptr_t addressByGnuHash(std::uintptr_t table, const char *name) const;
    std::uintptr_t addressByHash(std::uintptr_t table, const char *name) const;
    template <typename Visitor> void forEachRelocation(Visitor &&visit) const;
    Pointer pointerAt(std::uintptr_t address) const;
    std::vector<std::uintptr_t> basePlaces(std::uintptr_t information) const;
    const char *nameOfType(std::uintptr_t information) const;

    std::vector<Segment> m_segments;
    std::vector<ElfW(Dyn)> m_dynamic;
    std::uintptr_t m_base = 0;
    std::uintptr_t m_symbols = 0;
    const char *m_strings = nullptr;
    std::size_t m_stringsSize = 0;
};

#endif

#endif // QPOOLELFIMAGE_P_H
