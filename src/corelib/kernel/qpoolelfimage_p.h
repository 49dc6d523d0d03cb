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
    What the dynamic linker reads of a program or library, in memory or in a file. Nothing is trusted:
    what an address or a size in it would lead outside of is not there.

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
    // \a base is added to addresses where it was loaded; \a dynamic ends with DT_NULL, or where the
    // segments do.
    QPoolElfImage(std::vector<Segment> segments, std::uintptr_t dynamic, std::uintptr_t base = 0);

    struct Symbol
    {
        const char *name;
        bool isDefined; // by the module itself, too
    };
    // Those that the dynamic linker binds for the module: that its relocations name. What a module
    // defines and was bound to when it was linked, as with -Bsymbolic, is not among them. No hash
    // table has what one imports that exports nothing.
    std::vector<Symbol> boundSymbols() const;

    // Whether others may use a symbol of this name from it.
    bool defines(const char *symbol) const { return addressOf(symbol) != 0; }

    // The names of the strings that entries of this kind have: DT_NEEDED, DT_SONAME, DT_RUNPATH.
    std::vector<const char *> strings(ElfW(Sxword) tag) const;

    // Whether it has the type information of the class of this mangled name, as 6QEvent, for others;
    // then \a bases are the names of its base classes. From a file only: in memory there is
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
