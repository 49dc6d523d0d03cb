// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLEXPORTS_H
#define QPOOLEXPORTS_H

#include "../qpoolglobal.h"

#include <cstring>

#include <link.h>

QPOOL_BEGIN_NAMESPACE

/*
    The symbols that a loaded module exports, read from its memory as the dynamic linker does.
    dlsym() does not suffice: for a symbol that is unique in the process it finds only the first
    one, whichever module it is called for. Needs the hash table of GNU's linkers, which is sorted
    so that exported symbols come last; a module without one seems to export nothing.
*/
class QPOOL_LOCAL Exports
{
public:
    using Symbol = ElfW(Sym);

    explicit Exports(const dl_phdr_info &module) noexcept
        : m_module(module)
    {
        const ElfW(Dyn) *entry = nullptr;
        for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
            if (module.dlpi_phdr[i].p_type == PT_DYNAMIC)
                entry = reinterpret_cast<const ElfW(Dyn) *>(addressOf(module.dlpi_phdr[i].p_vaddr));
        }
        const std::uint32_t *hashes = nullptr;
        for (; entry && entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_GNU_HASH)
                hashes = static_cast<const std::uint32_t *>(tableAt(entry->d_un.d_ptr));
            else if (entry->d_tag == DT_SYMTAB)
                m_symbols = static_cast<const Symbol *>(tableAt(entry->d_un.d_ptr));
            else if (entry->d_tag == DT_STRTAB)
                m_names = static_cast<const char *>(tableAt(entry->d_un.d_ptr));
        }
        if (hashes && m_symbols && m_names)
            readHashes(hashes);
    }

    const Symbol *begin() const noexcept { return m_symbols + m_first; }
    const Symbol *end() const noexcept { return m_symbols + findEnd(); }
    std::uint32_t count() const noexcept { return findEnd() - m_first; }

    const char *nameOf(const Symbol &symbol) const noexcept { return m_names + symbol.st_name; }

    const Symbol *find(const char *name) const noexcept
    {
        if (m_bucketCount == 0)
            return nullptr;
        std::uint32_t hash = 5381;
        for (const char *letter = name; *letter; ++letter)
            hash = hash * 33 + static_cast<unsigned char>(*letter);
        for (std::uint32_t i = m_buckets[hash % m_bucketCount]; i >= m_first; ++i) {
            const std::uint32_t entry = m_chains[i - m_first]; // the lowest bit ends the chain
            if ((entry | 1) == (hash | 1) && std::strcmp(nameOf(m_symbols[i]), name) == 0)
                return &m_symbols[i];
            if (entry & 1)
                break;
        }
        return nullptr;
    }

    static bool isVariable(const Symbol &symbol) noexcept
    {
        const unsigned type = symbol.st_info & 0xF;
        return symbol.st_shndx != SHN_UNDEF && (type == STT_OBJECT || type == STT_TLS);
    }

    // Returns the address of \a symbol if nothing can write there, not even the dynamic linker;
    // else null.
    const void *constant(const Symbol &symbol) const noexcept
    {
        const ElfW(Phdr) *segment = segmentAt(addressOf(symbol.st_value));
        const bool isConstant = segment && !(segment->p_flags & PF_W)
                && (symbol.st_info & 0xF) == STT_OBJECT;
        return isConstant ? addressOf(symbol.st_value) : nullptr;
    }

    bool contains(const void *address) const noexcept { return segmentAt(address) != nullptr; }

private:
    const char *addressOf(ElfW(Addr) offset) const noexcept
    {
        return reinterpret_cast<const char *>(m_module.dlpi_addr + offset);
    }

    // On most processors, but not all, the dynamic linker has relocated these to addresses by now.
    const void *tableAt(ElfW(Addr) place) const noexcept
    {
        return place < m_module.dlpi_addr ? addressOf(place)
                                          : reinterpret_cast<const void *>(place);
    }

    const ElfW(Phdr) *segmentAt(const void *address) const noexcept
    {
        for (unsigned i = 0; i < m_module.dlpi_phnum; ++i) {
            const ElfW(Phdr) &segment = m_module.dlpi_phdr[i];
            const char *start = addressOf(segment.p_vaddr);
            if (segment.p_type == PT_LOAD && address >= start && address < start + segment.p_memsz)
                return &segment;
        }
        return nullptr;
    }

    void readHashes(const std::uint32_t *hashes) noexcept
    {
        m_bucketCount = hashes[0];
        m_first = hashes[1];
        const std::uint32_t filterWords = hashes[2] * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
        m_buckets = hashes + 4 + filterWords;
        m_chains = m_buckets + m_bucketCount;
    }

    // Returns the index after the end of the last chain.
    std::uint32_t findEnd() const noexcept
    {
        std::uint32_t last = 0;
        for (std::uint32_t i = 0; i < m_bucketCount; ++i)
            last = m_buckets[i] > last ? m_buckets[i] : last;
        if (last < m_first)
            return m_first;
        while (!(m_chains[last - m_first] & 1))
            ++last;
        return last + 1;
    }

    const dl_phdr_info &m_module;
    const Symbol *m_symbols = nullptr;
    const char *m_names = nullptr;
    const std::uint32_t *m_buckets = nullptr;
    const std::uint32_t *m_chains = nullptr;
    std::uint32_t m_bucketCount = 0;
    std::uint32_t m_first = 0;
};

QPOOL_END_NAMESPACE

#endif // QPOOLEXPORTS_H
