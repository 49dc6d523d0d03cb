// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolelfimage_p.h"

#if defined(__ELF__)

#include <algorithm>
#include <cstring>

bool QPoolElfImage::hasMark(const char *notes, std::size_t size)
{
    constexpr std::size_t header = 3 * sizeof(std::uint32_t);
    const auto padded = [](std::uint32_t length) {
        return (std::size_t(length) + 3) & ~std::size_t(3);
    };
    while (size >= header) {
        std::uint32_t lengths[2]; // of the owner's name, and of the content
        std::memcpy(lengths, notes, sizeof(lengths));
        const std::size_t whole = header + padded(lengths[0]) + padded(lengths[1]);
        if (whole > size)
            break;
        if (lengths[0] == sizeof("QPool") && std::memcmp(notes + header, "QPool", 6) == 0)
            return true;
        notes += whole;
        size -= whole;
    }
    return false;
}

QPoolElfImage::QPoolElfImage(std::vector<Segment> segments, std::uintptr_t dynamic,
                             std::uintptr_t base)
    : m_segments(std::move(segments)), m_base(base)
{
    ElfW(Dyn) entry;
    for (; read(dynamic, &entry) && entry.d_tag != DT_NULL; dynamic += sizeof(entry))
        m_dynamic.push_back(entry);
    m_symbols = place(DT_SYMTAB);
    const std::uintptr_t size = value(DT_STRSZ);
    m_strings = at(place(DT_STRTAB), size);
    m_stringsSize = m_strings ? size : 0;
}

// Null if it is not complete.
const char *QPoolElfImage::at(std::uintptr_t address, std::size_t size) const
{
    for (const Segment &segment : m_segments) {
        const std::uintptr_t offset = address - segment.address;
        if (address >= segment.address && offset <= segment.size && size <= segment.size - offset)
            return segment.data + offset;
    }
    return nullptr;
}

template <typename Value>
bool QPoolElfImage::read(std::uintptr_t address, Value *value) const
{
    const char *data = at(address, sizeof(*value));
    if (data)
        std::memcpy(value, data, sizeof(*value));
    return data;
}

// Zero if there is no such entry.
std::uintptr_t QPoolElfImage::value(ElfW(Sxword) tag) const
{
    for (const ElfW(Dyn) &entry : m_dynamic) {
        if (entry.d_tag == tag)
            return entry.d_un.d_val;
    }
    return 0;
}

// Most C libraries make these addresses absolute when they load the module, some leave them relative.
std::uintptr_t QPoolElfImage::place(ElfW(Sxword) tag) const
{
    const std::uintptr_t address = value(tag);
    return address >= m_base ? address - m_base : address;
}

// Null if it does not end in the image.
const char *QPoolElfImage::string(std::uintptr_t offset) const
{
    const bool ends = offset < m_stringsSize
            && std::memchr(m_strings + offset, 0, m_stringsSize - offset);
    return ends ? m_strings + offset : nullptr;
}

std::vector<const char *> QPoolElfImage::strings(ElfW(Sxword) tag) const
{
    std::vector<const char *> result;
    for (const ElfW(Dyn) &entry : m_dynamic) {
        if (entry.d_tag != tag)
            continue;
        if (const char *text = string(entry.d_un.d_val))
            result.push_back(text);
    }
    return result;
}

bool QPoolElfImage::symbol(std::uint32_t index, ElfW(Sym) *symbol) const
{
    return read(m_symbols + std::uintptr_t(index) * sizeof(*symbol), symbol);
}

const char *QPoolElfImage::nameOf(std::uint32_t index) const
{
    ElfW(Sym) found;
    return symbol(index, &found) ? string(found.st_name) : nullptr;
}

// Calls \a visit with the address that is relocated, the index of the symbol, zero for none, and the
// addend, zero where that is in place.
template <typename Visitor>
void QPoolElfImage::forEachRelocation(Visitor &&visit) const
{
    constexpr int shift = sizeof(ElfW(Addr)) == 8 ? 32 : 8;
    const auto table = [&](ElfW(Sxword) start, ElfW(Sxword) bytes, bool hasAddends) {
        std::uintptr_t size = value(bytes);
        const char *data = at(place(start), size);
        const std::size_t step = hasAddends ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
        for (; data && size >= step; size -= step, data += step) {
            ElfW(Rela) relocation {};
            std::memcpy(&relocation, data, step);
            visit(relocation.r_offset, std::uint32_t(relocation.r_info >> shift),
                  std::uintptr_t(relocation.r_addend));
        }
    };
    table(DT_RELA, DT_RELASZ, true);
    table(DT_REL, DT_RELSZ, false);
    table(DT_JMPREL, DT_PLTRELSZ, value(DT_PLTREL) == DT_RELA);
}

std::vector<QPoolElfImage::Symbol> QPoolElfImage::boundSymbols() const
{
    std::vector<std::uint32_t> indices;
    forEachRelocation([&indices](std::uintptr_t, std::uint32_t index, std::uintptr_t) {
        if (index != 0 && (indices.empty() || indices.back() != index))
            indices.push_back(index);
    });
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    std::vector<Symbol> result;
    result.reserve(indices.size());
    for (std::uint32_t index : indices) {
        ElfW(Sym) found;
        if (!symbol(index, &found))
            continue;
        if (const char *name = string(found.st_name))
            result.push_back({ name, found.st_shndx != SHN_UNDEF });
    }
    return result;
}

bool QPoolElfImage::isExported(std::uint32_t index, const char *name,
                               std::uintptr_t *address) const
{
    ElfW(Sym) found;
    if (!symbol(index, &found) || found.st_shndx == SHN_UNDEF || found.st_value == 0)
        return false;
    const char *itsName = string(found.st_name);
    *address = found.st_value;
    return itsName && std::strcmp(itsName, name) == 0;
}

// Zero if there is none.
std::uintptr_t QPoolElfImage::addressOf(const char *name) const
{
    if (const std::uintptr_t table = place(DT_GNU_HASH))
        return addressByGnuHash(table, name);
    if (const std::uintptr_t table = place(DT_HASH))
        return addressByHash(table, name);
    return 0;
}

std::uintptr_t QPoolElfImage::addressByGnuHash(std::uintptr_t table, const char *name) const
{
    struct Header
    {
        std::uint32_t buckets;
        std::uint32_t firstIndex;
        std::uint32_t filterWords;
        std::uint32_t filterShift;
    } header;
    if (!read(table, &header) || header.buckets == 0)
        return 0;
    std::uint32_t hash = 5381;
    for (const char *c = name; *c; ++c)
        hash = hash * 33 + static_cast<unsigned char>(*c);
    const std::uintptr_t buckets = table + sizeof(header)
            + std::uintptr_t(header.filterWords) * sizeof(ElfW(Addr));
    const std::uintptr_t chains = buckets + std::uintptr_t(header.buckets) * sizeof(std::uint32_t);
    std::uint32_t index = 0;
    if (!read(buckets + (hash % header.buckets) * sizeof(index), &index)
        || index < header.firstIndex) {
        return 0;
    }
    // The lowest bit says that the chain ends.
    std::uint32_t inChain = 0;
    for (; read(chains + std::uintptr_t(index - header.firstIndex) * sizeof(inChain), &inChain);
         ++index) {
        std::uintptr_t address = 0;
        if ((inChain | 1) == (hash | 1) && isExported(index, name, &address))
            return address;
        if (inChain & 1)
            break;
    }
    return 0;
}

std::uintptr_t QPoolElfImage::addressByHash(std::uintptr_t table, const char *name) const
{
    std::uint32_t counts[2]; // of buckets, and of symbols
    if (!read(table, &counts) || counts[0] == 0)
        return 0;
    std::uint32_t hash = 0;
    for (const char *c = name; *c; ++c) {
        hash = (hash << 4) + static_cast<unsigned char>(*c);
        hash = (hash ^ ((hash >> 24) & 0xf0)) & 0x0fffffff;
    }
    const std::uintptr_t buckets = table + sizeof(counts);
    const std::uintptr_t chains = buckets + std::uintptr_t(counts[0]) * sizeof(std::uint32_t);
    std::uint32_t index = 0;
    read(buckets + (hash % counts[0]) * sizeof(index), &index);
    // A chain that is longer than the number of symbols is a ring.
    for (std::uint32_t steps = 0; index != 0 && steps < counts[1]; ++steps) {
        std::uintptr_t address = 0;
        if (isExported(index, name, &address))
            return address;
        if (!read(chains + std::uintptr_t(index) * sizeof(index), &index))
            break;
    }
    return 0;
}

// The target of a pointer in the image: a symbol, or an address in the image.
struct QPoolElfImage::Pointer
{
    const char *symbol = nullptr;
    std::uintptr_t address = 0;
};

QPoolElfImage::Pointer QPoolElfImage::pointerAt(std::uintptr_t address) const
{
    // For relocations without an addend, and for packed relative ones, the addend is in place.
    Pointer result;
    read(address, &result.address);
    forEachRelocation([&](std::uintptr_t place, std::uint32_t index, std::uintptr_t addend) {
        if (place != address)
            return;
        if (index != 0)
            result.symbol = nameOf(index);
        else if (addend != 0)
            result.address = addend;
    });
    return result;
}

bool QPoolElfImage::findBases(const std::string &type, std::vector<std::string> *bases) const
{
    std::vector<std::uintptr_t> informations { addressOf(("_ZTI" + type).c_str()) };
    if (informations.front() == 0)
        return false;
    // A limit that no class reaches: in a damaged file the base classes may form a ring.
    constexpr std::size_t limit = 1000;
    for (std::size_t i = 0; i < informations.size() && informations.size() < limit; ++i) {
        for (std::uintptr_t place : basePlaces(informations[i])) {
            const Pointer base = pointerAt(place);
            if (!base.symbol) {
                // A base class that the module does not export: its own bases are here, too.
                informations.push_back(base.address);
                if (const char *name = nameOfType(base.address))
                    bases->push_back(name);
            } else if (std::strncmp(base.symbol, "_ZTI", 4) == 0) {
                bases->push_back(base.symbol + 4);
            }
        }
    }
    return true;
}

// The places of the addresses of the base classes' type information. The layout is that of the Itanium
// C++ ABI: the addresses of the vtable and of the name are followed by nothing, or by the address of the
// only base class's type information, or by flags, the number of base classes, and the address and the
// offset of each.
std::vector<std::uintptr_t> QPoolElfImage::basePlaces(std::uintptr_t information) const
{
    constexpr std::uintptr_t word = sizeof(void *);
    const Pointer kind = pointerAt(information);
    if (kind.symbol && std::strstr(kind.symbol, "__si_class_type_info"))
        return { information + 2 * word };
    std::vector<std::uintptr_t> result;
    if (kind.symbol && std::strstr(kind.symbol, "__vmi_class_type_info")) {
        std::uint32_t count = 0;
        std::uintptr_t place = information + 2 * word + 2 * sizeof(count);
        read(information + 2 * word + sizeof(count), &count);
        for (; count > 0 && at(place, 2 * word); --count, place += 2 * word)
            result.push_back(place);
    }
    return result;
}

const char *QPoolElfImage::nameOfType(std::uintptr_t information) const
{
    const std::uintptr_t name = pointerAt(information + sizeof(void *)).address;
    for (const Segment &segment : m_segments) {
        const std::uintptr_t offset = name - segment.address;
        if (name < segment.address || offset >= segment.size)
            continue;
        const char *text = segment.data + offset;
        return std::memchr(text, 0, segment.size - offset) ? text : nullptr;
    }
    return nullptr;
}

#endif
