// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolelf.h"

#if defined(__ELF__) && !defined(QPOOL_FREESTANDING)

#include <cstring>

QPOOL_BEGIN_NAMESPACE

namespace {

// Only for modules that the dynamic linker has loaded: it has used these addresses, too.
class OwnMemory final : public ElfSource
{
public:
    constexpr OwnMemory() noexcept : ElfSource(UINTPTR_MAX) { }

    bool read(std::uintptr_t place, void *to, std::size_t size) const noexcept override
    {
        std::memcpy(to, reinterpret_cast<const void *>(place), size);
        return true;
    }
    const char *keep(std::uintptr_t place, std::size_t) const noexcept override
    {
        return reinterpret_cast<const char *>(place);
    }
};

const OwnMemory ownMemory;

bool isOurs(const ElfW(Ehdr) &header) noexcept
{
    const std::uint16_t one = 1;
    unsigned char low;
    std::memcpy(&low, &one, 1);
    return header.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
            && header.e_ident[EI_DATA] == (low ? ELFDATA2LSB : ELFDATA2MSB);
}

} // namespace

ElfReader::ElfReader(const ElfSource &source, Layout layout, std::uintptr_t place) noexcept
    : m_source(&source)
{
    ElfW(Ehdr) header;
    if (place > source.end() || sizeof(header) > source.end() - place
        || !source.read(place, &header, sizeof(header))
        || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
        m_error = NotElf;
    } else if (!isOurs(header)) {
        m_error = OtherProcessor;
    } else if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        m_error = NotElf;
    } else if (header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phnum > MostHeaders
               || header.e_phoff > source.end() - place) {
        m_error = Incomplete;
    } else {
        m_bias = place;
        m_headers = place + header.e_phoff;
        m_headerCount = header.e_phnum;
        readSegments(layout);
        if (layout == File && header.e_shentsize == sizeof(ElfW(Shdr))) {
            m_sections = header.e_shoff;
            m_sectionCount = header.e_shnum;
        }
        readDynamic();
    }
}

ElfReader::ElfReader(const dl_phdr_info &module) noexcept
    : m_source(&ownMemory), m_bias(module.dlpi_addr),
      m_headers(reinterpret_cast<std::uintptr_t>(module.dlpi_phdr)),
      m_headerCount(module.dlpi_phnum)
{
    readSegments(Loaded);
    readDynamic();
}

void ElfReader::readSegments(Layout layout) noexcept
{
    // Before they are read from its header, the bias is the place of the beginning of the module's file.
    bool isBiasKnown = layout == File || m_source == &ownMemory;
    std::uint32_t seen = 0;
    forEachHeader([&](const ElfW(Phdr) &header) {
        ++seen;
        if (header.p_type == PT_DYNAMIC)
            m_dynamic = header.p_vaddr;
        // A program may have segments that it can only execute.
        if (header.p_type != PT_LOAD || (layout == Loaded && !(header.p_flags & PF_R)))
            return true;
        if (!isBiasKnown) {
            m_bias -= header.p_vaddr - header.p_offset;
            isBiasKnown = true;
        }
        Segment segment;
        segment.address = header.p_vaddr;
        segment.size = layout == File ? header.p_filesz : header.p_memsz;
        segment.place = layout == File ? header.p_offset : m_bias + header.p_vaddr;
        segment.constant = !(header.p_flags & PF_W);
        if (m_segmentCount == MostSegments || segment.place > m_source->end()
            || segment.size > m_source->end() - segment.place
            || segment.size > UINTPTR_MAX - segment.address) {
            m_error = Incomplete;
            return false;
        }
        m_segments[m_segmentCount++] = segment;
        return true;
    });
    if (seen != m_headerCount)
        m_error = Incomplete;
    if (m_error != NoError)
        m_segmentCount = 0;
}

void ElfReader::readDynamic() noexcept
{
    const std::uintptr_t entrySize = value(DT_SYMENT);
    m_symbols = address(DT_SYMTAB);
    if (m_symbols && (entrySize == 0 || entrySize == sizeof(Symbol))) {
        const std::uintptr_t most = room(m_symbols) / sizeof(Symbol);
        m_symbolCount = most < UINT32_MAX ? std::uint32_t(most) : UINT32_MAX;
    }
    m_strings = address(DT_STRTAB);
    m_stringsSize = value(DT_STRSZ);
    if (!m_strings || m_stringsSize > room(m_strings))
        m_stringsSize = 0;
    if (m_stringsSize)
        m_keptStrings = keep(m_strings, m_stringsSize);
    m_gnuHash = address(DT_GNU_HASH);
    m_hash = address(DT_HASH);
}

const ElfReader::Segment *ElfReader::segmentAt(std::uintptr_t address) const noexcept
{
    for (unsigned i = 0; i < m_segmentCount; ++i) {
        if (address - m_segments[i].address < m_segments[i].size) // wraps below the segment
            return &m_segments[i];
    }
    return nullptr;
}

std::uintptr_t ElfReader::begin() const noexcept
{
    std::uintptr_t begin = m_segmentCount ? UINTPTR_MAX : 0;
    for (unsigned i = 0; i < m_segmentCount; ++i)
        begin = m_segments[i].address < begin ? m_segments[i].address : begin;
    return begin;
}

std::uintptr_t ElfReader::end() const noexcept
{
    std::uintptr_t end = 0;
    for (unsigned i = 0; i < m_segmentCount; ++i) {
        const std::uintptr_t its = m_segments[i].address + m_segments[i].size;
        end = its > end ? its : end;
    }
    return end;
}

std::uintptr_t ElfReader::room(std::uintptr_t address) const noexcept
{
    const Segment *segment = segmentAt(address);
    return segment ? segment->size - (address - segment->address) : 0;
}

// Only where there is room.
std::uintptr_t ElfReader::placeOf(std::uintptr_t address) const noexcept
{
    const Segment *segment = segmentAt(address);
    return segment ? segment->place + (address - segment->address) : 0;
}

bool ElfReader::read(std::uintptr_t address, void *to, std::size_t size) const noexcept
{
    return size <= room(address) && m_source->read(placeOf(address), to, size);
}

const char *ElfReader::keep(std::uintptr_t address, std::size_t size) const noexcept
{
    return size > 0 && size <= room(address) ? m_source->keep(placeOf(address), size) : nullptr;
}

bool ElfReader::isConstant(std::uintptr_t address, std::size_t size) const noexcept
{
    const Segment *segment = segmentAt(address);
    return segment && segment->constant && size <= room(address);
}

std::uintptr_t ElfReader::findNote(const char *owner, std::size_t size) const noexcept
{
    // The owner's name, and the content; both are padded to four bytes.
    struct Note
    {
        std::uint32_t nameSize;
        std::uint32_t size;
        std::uint32_t type;
    };
    char name[16];
    const std::size_t nameSize = std::strlen(owner) + 1;
    const auto padded = [](std::uint32_t bytes) { return (std::uint64_t(bytes) + 3) & ~std::uint64_t(3); };
    std::uintptr_t found = 0;
    forEachHeader([&](const ElfW(Phdr) &header) {
        // The dynamic linker does not use notes, and so does not care whether they are where the header
        // says; a tool that worked on the file may have moved what is loaded, and left them.
        if (header.p_type != PT_NOTE || header.p_filesz > room(header.p_vaddr))
            return true;
        constexpr std::uintptr_t most = 1 << 20; // all notes of a module take a few hundred bytes
        std::uintptr_t left = header.p_filesz < most ? header.p_filesz : most;
        Note note;
        for (std::uintptr_t at = header.p_vaddr; left >= sizeof(note) && read(at, &note);) {
            const std::uint64_t content = sizeof(note) + padded(note.nameSize);
            const std::uint64_t whole = content + padded(note.size);
            if (whole > left)
                break;
            if (note.nameSize == nameSize && note.size == size && nameSize <= sizeof(name)
                && read(at + sizeof(note), name, nameSize)
                && std::memcmp(name, owner, nameSize) == 0) {
                found = at + std::uintptr_t(content);
                return false;
            }
            at += std::uintptr_t(whole);
            left -= std::uintptr_t(whole);
        }
        return true;
    });
    return found;
}

// Not inlined: most of the code would be copies of it.
QPOOL_NEVER_INLINE std::uintptr_t ElfReader::value(ElfW(Sxword) tag) const noexcept
{
    std::uintptr_t result = 0;
    forEachDynamic([&](const ElfW(Dyn) &entry) {
        if (entry.d_tag == tag)
            result = entry.d_un.d_val;
        return entry.d_tag != tag;
    });
    return result;
}

// Most C libraries make these addresses absolute when they load the module, some leave them relative.
std::uintptr_t ElfReader::address(ElfW(Sxword) tag) const noexcept
{
    const std::uintptr_t result = value(tag);
    return result >= m_bias ? result - m_bias : result;
}

bool ElfReader::section(std::uint32_t index, ElfW(Shdr) *section) const noexcept
{
    const std::uintptr_t end = std::uintptr_t(index + 1) * sizeof(*section);
    return index < m_sectionCount && m_sections <= m_source->end()
            && end <= m_source->end() - m_sections
            && m_source->read(m_sections + end - sizeof(*section), section, sizeof(*section));
}

bool ElfReader::hasContent(const ElfW(Shdr) &section) const noexcept
{
    return section.sh_type != SHT_NOBITS && section.sh_offset <= m_source->end()
            && section.sh_size <= m_source->end() - section.sh_offset;
}

bool ElfReader::symbol(std::uint32_t index, Symbol *symbol) const noexcept
{
    return index < m_symbolCount
            && read(m_symbols + std::uintptr_t(index) * sizeof(Symbol), symbol);
}

const char *ElfReader::string(std::uintptr_t offset) const noexcept
{
    const bool ends = m_keptStrings && offset < m_stringsSize
            && std::memchr(m_keptStrings + offset, '\0', m_stringsSize - offset);
    return ends ? m_keptStrings + offset : nullptr;
}

bool ElfReader::isNamed(const Symbol &symbol, const char *name) const noexcept
{
    const std::size_t size = std::strlen(name) + 1;
    if (symbol.st_name > m_stringsSize || size > m_stringsSize - symbol.st_name)
        return false;
    if (m_keptStrings)
        return std::memcmp(m_keptStrings + symbol.st_name, name, size) == 0;
    char piece[128];
    for (std::size_t at = 0; at < size; at += sizeof(piece)) {
        const std::size_t now = size - at < sizeof(piece) ? size - at : sizeof(piece);
        if (!read(m_strings + symbol.st_name + at, piece, now)
            || std::memcmp(piece, name + at, now) != 0) {
            return false;
        }
    }
    return true;
}

bool ElfReader::matches(std::uint32_t index, const char *name, Symbol *symbol) const noexcept
{
    return this->symbol(index, symbol) && symbol->st_shndx != SHN_UNDEF && isNamed(*symbol, name);
}

bool ElfReader::find(const char *name, Symbol *symbol) const noexcept
{
    return m_gnuHash ? findByGnuHash(name, symbol) : m_hash && findByHash(name, symbol);
}

// Advances to the end of a table; false if the segment ends before it.
bool ElfReader::skip(std::uintptr_t *address, std::uint64_t count, std::size_t size) const noexcept
{
    const std::uintptr_t most = room(*address) / size;
    if (count > most)
        return false;
    *address += std::uintptr_t(count) * size;
    return true;
}

bool ElfReader::readGnuHash(GnuHash *hash) const noexcept
{
    std::uint32_t header[4]; // buckets, the first symbol, words of the filter, its shift
    if (!read(m_gnuHash, &header))
        return false;
    std::uintptr_t at = m_gnuHash + sizeof(header);
    if (!skip(&at, header[2], sizeof(ElfW(Addr))))
        return false;
    *hash = { header[0], header[1], at, 0 };
    if (!skip(&at, header[0], sizeof(std::uint32_t)))
        return false;
    hash->chains = at;
    return hash->bucketCount > 0 && hash->first <= m_symbolCount;
}

bool ElfReader::findByGnuHash(const char *name, Symbol *symbol) const noexcept
{
    GnuHash table;
    if (!readGnuHash(&table))
        return false;
    std::uint32_t hash = 5381;
    for (const char *letter = name; *letter; ++letter)
        hash = hash * 33 + static_cast<unsigned char>(*letter);
    std::uint32_t index = 0;
    if (!read(table.buckets + std::uintptr_t(hash % table.bucketCount) * sizeof(index), &index)
        || index < table.first || index >= m_symbolCount) {
        return false;
    }
    std::uintptr_t chain = table.chains;
    if (!skip(&chain, index - table.first, sizeof(std::uint32_t)))
        return false;
    bool found = false;
    forEach<std::uint32_t>(chain, m_symbolCount - index, [&](std::uint32_t entry) {
        // The lowest bit ends the chain.
        found = (entry | 1) == (hash | 1) && matches(index, name, symbol);
        ++index;
        return !found && !(entry & 1);
    });
    return found;
}

bool ElfReader::findByHash(const char *name, Symbol *symbol) const noexcept
{
    std::uint32_t counts[2]; // of buckets, and of symbols
    std::uintptr_t at = m_hash + sizeof(counts);
    if (!read(m_hash, &counts) || counts[0] == 0)
        return false;
    const std::uintptr_t buckets = at;
    if (!skip(&at, counts[0], sizeof(std::uint32_t)) || counts[1] > room(at) / sizeof(std::uint32_t))
        return false;
    std::uint32_t hash = 0;
    for (const char *letter = name; *letter; ++letter) {
        hash = (hash << 4) + static_cast<unsigned char>(*letter);
        hash = (hash ^ ((hash >> 24) & 0xf0)) & 0x0fffffff;
    }
    std::uint32_t index = 0;
    if (!read(buckets + std::uintptr_t(hash % counts[0]) * sizeof(index), &index))
        return false;
    // A chain that is longer than the number of symbols is a ring.
    for (std::uint32_t steps = 0; steps < counts[1] && index != 0 && index < counts[1]; ++steps) {
        if (matches(index, name, symbol))
            return true;
        if (!read(at + std::uintptr_t(index) * sizeof(index), &index))
            return false;
    }
    return false;
}

ElfReader::Range ElfReader::exports() const noexcept
{
    GnuHash table;
    if (m_gnuHash && readGnuHash(&table)) {
        std::uint32_t last = 0;
        forEach<std::uint32_t>(table.buckets, table.bucketCount, [&last](std::uint32_t index) {
            last = index > last ? index : last;
            return true;
        });
        std::uintptr_t chain = table.chains;
        if (last < table.first || last >= m_symbolCount
            || !skip(&chain, last - table.first, sizeof(std::uint32_t))) {
            return { 0, 0 };
        }
        forEach<std::uint32_t>(chain, m_symbolCount - last, [&last](std::uint32_t entry) {
            ++last;
            return !(entry & 1);
        });
        return { table.first, last };
    }
    std::uint32_t counts[2];
    if (m_gnuHash || !read(m_hash, &counts))
        return { 0, 0 };
    const std::uint32_t count = counts[1] < m_symbolCount ? counts[1] : m_symbolCount;
    return { count > 0 ? 1u : 0u, count }; // the first one has no name
}

QPOOL_END_NAMESPACE

#endif
