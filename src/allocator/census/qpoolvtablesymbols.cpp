// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolvtablesymbols.h"

#include <algorithm>
#include <cstring>

namespace QPool {

VtableSymbols::VtableSymbols(const ElfSource &file, std::size_t *room)
{
    const ElfReader reader(file, ElfReader::File);
    // A file has one table of each kind at most.
    for (const ElfW(Word) kind : { ElfW(Word)(SHT_SYMTAB), ElfW(Word)(SHT_DYNSYM) }) {
        ElfW(Shdr) symbols {};
        ElfW(Shdr) names;
        reader.forEachSection([&](const ElfW(Shdr) &section) {
            if (section.sh_type == kind)
                symbols = section;
            return section.sh_type != kind;
        });
        if (symbols.sh_type == kind && symbols.sh_entsize == sizeof(ElfW(Sym))
            && reader.section(symbols.sh_link, &names) && names.sh_type == SHT_STRTAB
            && reader.hasContent(symbols) && reader.hasContent(names)) {
            readTable(file, symbols, names, room);
        }
    }
    std::sort(m_symbols.begin(), m_symbols.end());
}

void VtableSymbols::readTable(const ElfSource &file, const ElfW(Shdr) &symbols,
                              const ElfW(Shdr) &names, std::size_t *room)
{
    constexpr char Prefix[] = "_ZTV";
    constexpr std::size_t PrefixLength = sizeof(Prefix) - 1;
    constexpr std::size_t Overhead = 64; // of an entry of the list
    std::string name;
    const std::uintptr_t count = symbols.sh_size / sizeof(ElfW(Sym));
    ElfReader::forEachAt<ElfW(Sym)>(file, symbols.sh_offset, count, [&](const ElfW(Sym) &symbol) {
        char front[PrefixLength];
        if ((symbol.st_info & 0xF) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF
            || symbol.st_name > names.sh_size || names.sh_size - symbol.st_name <= PrefixLength
            || !file.read(names.sh_offset + symbol.st_name, front, PrefixLength)
            || std::memcmp(front, Prefix, PrefixLength) != 0) {
            return true;
        }
        const std::uintptr_t left = names.sh_size - symbol.st_name - PrefixLength;
        bool ends = false;
        name.clear();
        ElfReader::forEachAt<char>(file, names.sh_offset + symbol.st_name + PrefixLength,
                                   std::min<std::uintptr_t>(left, MostName), [&](char letter) {
            ends = letter == '\0';
            if (letter <= ' ' || letter > '~')
                return false;
            name += letter;
            return true;
        });
        if (!ends || name.empty())
            return true;
        if (*room < name.size() + Overhead)
            return false;
        *room -= name.size() + Overhead;
        m_symbols.emplace_back(symbol.st_value, name);
        return true;
    });
}

std::string VtableSymbols::classAt(std::uintptr_t address) const
{
    const auto found = std::lower_bound(m_symbols.begin(), m_symbols.end(), address,
                                        [](const auto &symbol, std::uintptr_t wanted) {
                                            return symbol.first < wanted;
                                        });
    return found != m_symbols.end() && found->first == address ? found->second : std::string();
}

} // namespace QPool
