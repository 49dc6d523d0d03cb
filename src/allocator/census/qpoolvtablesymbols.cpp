// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolvtablesymbols.h"

#include <algorithm>
#include <cstring>

#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace QPool {

VtableSymbols::VtableSymbols(int file)
{
    if (file < 0)
        return;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        const auto size = std::size_t(status.st_size);
        void *data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data != MAP_FAILED) {
            read(static_cast<const char *>(data), size);
            munmap(data, size);
        }
    }
    close(file);
    std::sort(m_symbols.begin(), m_symbols.end());
}

void VtableSymbols::read(const char *data, std::size_t size)
{
    constexpr unsigned char ourClass = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    ElfW(Ehdr) header;
    if (size < sizeof(header))
        return;
    std::memcpy(&header, data, sizeof(header));
    const std::size_t table = std::size_t(header.e_shnum) * sizeof(ElfW(Shdr));
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ourClass
        || header.e_shentsize != sizeof(ElfW(Shdr)) || header.e_shoff > size
        || table > size - header.e_shoff) {
        return;
    }
    const auto section = [&](std::size_t index) {
        ElfW(Shdr) result;
        std::memcpy(&result, data + header.e_shoff + index * sizeof(result), sizeof(result));
        return result;
    };
    const auto isInside = [size](const ElfW(Shdr) &part) {
        return part.sh_offset <= size && part.sh_size <= size - part.sh_offset;
    };
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        const ElfW(Shdr) symbols = section(i);
        if ((symbols.sh_type != SHT_SYMTAB && symbols.sh_type != SHT_DYNSYM)
            || symbols.sh_link >= header.e_shnum || !isInside(symbols)) {
            continue;
        }
        const ElfW(Shdr) names = section(symbols.sh_link);
        if (!isInside(names))
            continue;
        for (std::size_t at = 0; at + sizeof(ElfW(Sym)) <= symbols.sh_size;
             at += sizeof(ElfW(Sym))) {
            ElfW(Sym) symbol;
            std::memcpy(&symbol, data + symbols.sh_offset + at, sizeof(symbol));
            if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.sh_size)
                continue;
            const char *name = data + names.sh_offset + symbol.st_name;
            const std::size_t room = names.sh_size - symbol.st_name;
            if (room < 5 || std::strncmp(name, "_ZTV", 4) != 0 || !std::memchr(name, '\0', room))
                continue;
            m_symbols.emplace_back(symbol.st_value, name + 4);
        }
    }
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
