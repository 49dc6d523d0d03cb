// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolelfimage_p.h"

#if defined(__ELF__)

#include <algorithm>
#include <cstring>

namespace {

template <typename Visitor>
void forEachString(const QPool::ElfReader &reader, ElfW(Sxword) tag, Visitor &&visit)
{
    reader.forEachDynamic([&](const ElfW(Dyn) &entry) {
        if (entry.d_tag == tag) {
            if (const char *text = reader.string(entry.d_un.d_val))
                visit(text);
        }
        return true;
    });
}

} // namespace

QPoolElfImage::QPoolElfImage(const QPool::ElfReader &reader) : m_reader(reader)
{
    const auto table = [&](ElfW(Sxword) start, ElfW(Sxword) size, ElfW(Sxword) step, bool haveAddends) {
        const std::uintptr_t expected = haveAddends ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
        const std::uintptr_t found = step ? reader.value(step) : expected;
        const std::uintptr_t address = reader.address(start);
        return Relocations { address, address && found == expected ? reader.value(size) : 0, haveAddends };
    };
    m_relocations[0] = table(DT_RELA, DT_RELASZ, DT_RELAENT, true);
    m_relocations[1] = table(DT_REL, DT_RELSZ, DT_RELENT, false);
    m_relocations[2] = table(DT_JMPREL, DT_PLTRELSZ, 0, reader.value(DT_PLTREL) == DT_RELA);
}

// Allocates nothing.
bool QPoolElfImage::usesQt(const QPool::ElfReader &reader)
{
    bool result = false;
    forEachString(reader, DT_NEEDED, [&result](const char *library) {
        result |= std::strncmp(library, "libQt6", 6) == 0;
    });
    return result;
}

std::vector<const char *> QPoolElfImage::strings(ElfW(Sxword) tag) const
{
    std::vector<const char *> result;
    forEachString(m_reader, tag, [&result](const char *text) { result.push_back(text); });
    return result;
}

// Calls \a visit with the address that is relocated, the index of the symbol, zero for none, and the
// addend, zero where that is in place.
template <typename Visitor>
void QPoolElfImage::forEachRelocation(Visitor &&visit) const
{
    constexpr int shift = sizeof(ElfW(Addr)) == 8 ? 32 : 8;
    // Some hundred thousand are many. Where there are more, a search would take too long.
    constexpr std::uintptr_t most = std::uintptr_t(1) << 22;
    for (const Relocations &table : m_relocations) {
        if (table.haveAddends) {
            m_reader.forEach<ElfW(Rela)>(table.address, std::min(table.size / sizeof(ElfW(Rela)), most),
                                         [&](const ElfW(Rela) &each) {
                visit(each.r_offset, std::uint32_t(each.r_info >> shift), std::uintptr_t(each.r_addend));
                return true;
            });
        } else {
            m_reader.forEach<ElfW(Rel)>(table.address, std::min(table.size / sizeof(ElfW(Rel)), most),
                                        [&](const ElfW(Rel) &each) {
                visit(each.r_offset, std::uint32_t(each.r_info >> shift), std::uintptr_t(0));
                return true;
            });
        }
    }
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
        QPool::ElfReader::Symbol found;
        if (!m_reader.symbol(index, &found))
            continue;
        if (const char *name = m_reader.string(found.st_name))
            result.push_back({ name, found.st_shndx != SHN_UNDEF });
    }
    return result;
}

// Zero if there is none.
std::uintptr_t QPoolElfImage::addressOf(const char *name) const
{
    QPool::ElfReader::Symbol found;
    return m_reader.find(name, &found) ? found.st_value : 0;
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
    m_reader.read(address, &result.address);
    forEachRelocation([&](std::uintptr_t place, std::uint32_t index, std::uintptr_t addend) {
        QPool::ElfReader::Symbol found;
        if (place != address)
            return;
        if (index != 0)
            result.symbol = m_reader.symbol(index, &found) ? m_reader.string(found.st_name) : nullptr;
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
    constexpr std::size_t limit = 200;
    for (std::size_t i = 0; i < informations.size(); ++i) {
        for (std::uintptr_t place : basePlaces(informations[i])) {
            if (informations.size() + bases->size() >= limit)
                return true;
            const Pointer base = pointerAt(place);
            if (!base.symbol) {
                // A base class that the module does not export: its own bases are here, too.
                informations.push_back(base.address);
                if (std::string name = nameOfType(base.address); !name.empty())
                    bases->push_back(std::move(name));
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
    constexpr std::uint32_t most = 100;
    const Pointer kind = pointerAt(information);
    if (kind.symbol && std::strstr(kind.symbol, "__si_class_type_info"))
        return { information + 2 * word };
    std::vector<std::uintptr_t> result;
    if (kind.symbol && std::strstr(kind.symbol, "__vmi_class_type_info")) {
        std::uint32_t count = 0;
        std::uintptr_t place = information + 2 * word + 2 * sizeof(count);
        m_reader.read(information + 2 * word + sizeof(count), &count);
        for (count = std::min(count, most); count > 0; --count, place += 2 * word)
            result.push_back(place);
    }
    return result;
}

// Empty if it does not end.
std::string QPoolElfImage::nameOfType(std::uintptr_t information) const
{
    constexpr std::size_t longest = 4096;
    const std::uintptr_t name = pointerAt(information + sizeof(void *)).address;
    std::string result;
    bool ends = false;
    m_reader.forEach<char>(name, longest, [&](char letter) {
        ends = letter == '\0';
        if (!ends)
            result += letter;
        return !ends;
    });
    return ends ? result : std::string();
}

#endif
