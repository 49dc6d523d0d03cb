// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolloadedsymbol.h"

#include "qpoolloadedsegments.h"

#include <cstring>

#include <link.h>

namespace QPool {

namespace {

struct Tables
{
    std::uintptr_t symbols = 0;
    std::uintptr_t strings = 0;
    std::uintptr_t hash = 0;
    std::uintptr_t bias = 0; // added to the addresses in the file
};

// The dynamic linker stores addresses here; some dynamic linkers leave the file's values.
std::uintptr_t placeOf(std::uintptr_t value, std::uintptr_t base)
{
    return value < base ? base + value : value;
}

bool findTables(const ProcessMemory &memory, std::uintptr_t base, Tables *tables)
{
    constexpr unsigned mostEntries = 512;
    std::uintptr_t bias = 0;
    std::uintptr_t dynamic = 0;
    const bool isModule = forEachLoadedSegment(
            memory, base, [&](const ElfW(Phdr) &segment, std::uintptr_t moduleBias) {
                bias = moduleBias;
                if (segment.p_type == PT_DYNAMIC)
                    dynamic = bias + segment.p_vaddr;
            });
    if (!isModule)
        return false;
    tables->bias = bias;
    for (unsigned i = 0; dynamic && i < mostEntries; ++i) {
        ElfW(Dyn) entry;
        if (!memory.read(dynamic + i * sizeof(entry), &entry) || entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_SYMTAB)
            tables->symbols = placeOf(entry.d_un.d_ptr, bias);
        else if (entry.d_tag == DT_STRTAB)
            tables->strings = placeOf(entry.d_un.d_ptr, bias);
        else if (entry.d_tag == DT_GNU_HASH)
            tables->hash = placeOf(entry.d_un.d_ptr, bias);
    }
    return tables->symbols && tables->strings && tables->hash;
}

std::uint32_t gnuHash(const char *name)
{
    std::uint32_t hash = 5381;
    for (; *name; ++name)
        hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

bool isNamed(const ProcessMemory &memory, std::uintptr_t text, const char *name)
{
    char buffer[128];
    const std::size_t size = std::strlen(name) + 1;
    return size <= sizeof(buffer) && memory.read(text, buffer, size)
            && std::memcmp(buffer, name, size) == 0;
}

} // namespace

std::uintptr_t findLoadedSymbol(const ProcessMemory &memory, std::uintptr_t base, const char *name)
{
    Tables tables;
    if (!findTables(memory, base, &tables))
        return 0;
    struct { std::uint32_t buckets, first, words, shift; } hash;
    if (!memory.read(tables.hash, &hash) || hash.buckets == 0)
        return 0;
    const std::uintptr_t buckets = tables.hash + sizeof(hash) + hash.words * sizeof(ElfW(Addr));
    const std::uintptr_t chains = buckets + hash.buckets * sizeof(std::uint32_t);
    const std::uint32_t wanted = gnuHash(name);
    std::uint32_t index = 0;
    if (!memory.read(buckets + wanted % hash.buckets * sizeof(index), &index) || index < hash.first)
        return 0;
    constexpr unsigned longest = 100000;
    for (unsigned i = 0; i < longest; ++i, ++index) {
        std::uint32_t chain = 0;
        if (!memory.read(chains + std::uintptr_t(index - hash.first) * sizeof(chain), &chain))
            return 0;
        ElfW(Sym) symbol;
        if ((chain | 1) == (wanted | 1)
            && memory.read(tables.symbols + index * sizeof(symbol), &symbol)
            && symbol.st_shndx != SHN_UNDEF
            && isNamed(memory, tables.strings + symbol.st_name, name)) {
            return tables.bias + symbol.st_value;
        }
        if (chain & 1)
            return 0;
    }
    return 0;
}

} // namespace QPool
