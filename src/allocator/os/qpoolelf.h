// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLELF_H
#define QPOOLELF_H

#include "../qpoolglobal.h"

#if defined(__ELF__) && !defined(QPOOL_FREESTANDING)

#include <link.h>

QPOOL_BEGIN_NAMESPACE

// The bytes of a program or library, from which an ElfReader reads: the memory of this process, or copies of
// a file's or another process's bytes (qpoolelfcopies.h). A place is an address in memory, or an offset in
// a file. Not abstract, because the malloc front has no C++ library.
class QPOOL_LOCAL ElfSource
{
public:
    constexpr explicit ElfSource(std::uintptr_t end) noexcept : m_end(end) { }

    // No place is behind it.
    std::uintptr_t end() const noexcept { return m_end; }

    // False if not all of them are there.
    virtual bool read(std::uintptr_t, void *, std::size_t) const noexcept { return false; }

    // The bytes themselves, which stay as long as the source does; null if it cannot provide them.
    virtual const char *keep(std::uintptr_t, std::size_t) const noexcept { return nullptr; }

protected:
    ~ElfSource() = default;

private:
    std::uintptr_t m_end;
};

/*
    The parts of a program or library that the dynamic linker reads, and, of a file, the tables of sections.

    Nothing that is read is trusted. Every address, offset, count and entry size is checked against the
    segment or source that it leads into, where each is followed, and what leads outside is treated as
    missing. No loop is longer than the segment or table that it goes through. The sizes of the segments
    themselves are what the module says: what another process claims to have mapped may be long, and its
    source must be limited.

    Addresses are those that the module is linked for. At 0 is the module's header, so it is no table's
    address. Allocates nothing.
*/
class QPOOL_LOCAL ElfReader
{
public:
    using Symbol = ElfW(Sym);

    enum Layout {
        File, // as on disk: read only what is in the file
        Loaded // in memory, where only segments are
    };
    enum Error { NoError, NotElf, OtherProcessor, Incomplete };

    // Of the ELF header at \a place. The source must outlive the reader.
    ElfReader(const ElfSource &source, Layout layout, std::uintptr_t place = 0) noexcept;
    // Of a module of this process.
    explicit ElfReader(const dl_phdr_info &module) noexcept;

    // With an error, everything is missing.
    Error error() const noexcept { return m_error; }

    // What is added to addresses, with overflow, to get places in memory.
    std::uintptr_t bias() const noexcept { return m_bias; }
    // The addresses of the first segment, and of the end of the last; both 0 if there is none.
    std::uintptr_t begin() const noexcept;
    std::uintptr_t end() const noexcept;

    // The number of bytes from \a address to the end of its segment; 0 outside of all.
    std::uintptr_t room(std::uintptr_t address) const noexcept;
    bool read(std::uintptr_t address, void *to, std::size_t size) const noexcept;
    template <class Value>
    bool read(std::uintptr_t address, Value *value) const noexcept
    {
        return read(address, value, sizeof(Value));
    }
    const char *keep(std::uintptr_t address, std::size_t size) const noexcept;
    // Whether all of it is where nothing can write, not even the dynamic linker.
    bool isConstant(std::uintptr_t address, std::size_t size) const noexcept;

    // These call visit(entry) until it returns false, or an entry cannot be read.
    template <class Entry, class Visit>
    void forEach(std::uintptr_t address, std::uintptr_t count, Visit &&visit) const
    {
        const std::uintptr_t most = room(address) / sizeof(Entry);
        forEachAt<Entry>(*m_source, placeOf(address), count < most ? count : most, visit);
    }
    template <class Visit>
    void forEachHeader(Visit &&visit) const // ElfW(Phdr)
    {
        forEachAt<ElfW(Phdr)>(*m_source, m_headers, m_headerCount, visit);
    }
    template <class Visit>
    void forEachDynamic(Visit &&visit) const // ElfW(Dyn)
    {
        forEach<ElfW(Dyn)>(m_dynamic, m_dynamic ? UINTPTR_MAX : 0, [&](const ElfW(Dyn) &entry) {
            return entry.d_tag != DT_NULL && visit(entry);
        });
    }
    template <class Visit>
    void forEachSection(Visit &&visit) const // ElfW(Shdr)
    {
        forEachAt<ElfW(Shdr)>(*m_source, m_sections, m_sectionCount, visit);
    }

    // The address of the content, of \a size bytes, of the first note by \a owner; 0 if there is none.
    std::uintptr_t findNote(const char *owner, std::size_t size) const noexcept;

    // The value of the first such entry of the dynamic section, or the address that it is; 0 if there
    // is none.
    std::uintptr_t value(ElfW(Sxword) tag) const noexcept;
    std::uintptr_t address(ElfW(Sxword) tag) const noexcept;

    bool section(std::uint32_t index, ElfW(Shdr) *section) const noexcept;
    // Whether the file has all of it.
    bool hasContent(const ElfW(Shdr) &section) const noexcept;

    bool symbol(std::uint32_t index, Symbol *symbol) const noexcept;
    // The text at \a offset in the string table, where the source can keep that; else null.
    const char *string(std::uintptr_t offset) const noexcept;
    // The symbol that the module exports with this name, by the hash table of either kind.
    bool find(const char *name, Symbol *symbol) const noexcept;

    // The range of the exported symbols. The table of GNU's linkers sorts them; without it, symbols that
    // are not exported are in the range, too.
    struct Range
    {
        std::uint32_t begin;
        std::uint32_t end;
    };
    Range exports() const noexcept;

    template <class Entry, class Visit>
    static void forEachAt(const ElfSource &source, std::uintptr_t place, std::uintptr_t count,
                          Visit &&visit)
    {
        if (place > source.end())
            return;
        const std::uintptr_t most = (source.end() - place) / sizeof(Entry);
        std::uintptr_t left = count < most ? count : most;
        Entry piece[512 / sizeof(Entry)];
        std::uintptr_t step = sizeof(piece) / sizeof(Entry);
        while (left > 0) {
            const std::uintptr_t now = left < step ? left : step;
            if (!source.read(place, piece, now * sizeof(Entry))) {
                if (now == 1)
                    return;
                step = 1; // to those in front of what is not there
                continue;
            }
            for (std::uintptr_t i = 0; i < now; ++i) {
                if (!visit(const_cast<const Entry &>(piece[i])))
                    return;
            }
            place += now * sizeof(Entry);
            left -= now;
        }
    }

private:
    // A part of the module, of which the source has all bytes.
    struct Segment
    {
        std::uintptr_t address;
        std::uintptr_t size;
        std::uintptr_t place;
        bool constant;
    };
    struct GnuHash
    {
        std::uint32_t bucketCount;
        std::uint32_t first; // the first symbol that has a chain entry
        std::uintptr_t buckets;
        std::uintptr_t chains;
    };
    static constexpr unsigned MostHeaders = 256;
    static constexpr unsigned MostSegments = 32;

    void readSegments(Layout layout) noexcept;
    void readDynamic() noexcept;
    const Segment *segmentAt(std::uintptr_t address) const noexcept;
    std::uintptr_t placeOf(std::uintptr_t address) const noexcept;
    bool skip(std::uintptr_t *address, std::uint64_t count, std::size_t size) const noexcept;
    bool isNamed(const Symbol &symbol, const char *name) const noexcept;
    bool matches(std::uint32_t index, const char *name, Symbol *symbol) const noexcept;
    bool readGnuHash(GnuHash *hash) const noexcept;
    bool findByGnuHash(const char *name, Symbol *symbol) const noexcept;
    bool findByHash(const char *name, Symbol *symbol) const noexcept;

    const ElfSource *m_source;
    Error m_error = NoError;
    std::uintptr_t m_bias = 0;
    std::uintptr_t m_headers = 0; // a place
    std::uint32_t m_headerCount = 0;
    std::uintptr_t m_sections = 0; // a place
    std::uint32_t m_sectionCount = 0;
    std::uintptr_t m_dynamic = 0;
    std::uintptr_t m_gnuHash = 0;
    std::uintptr_t m_hash = 0;
    std::uintptr_t m_symbols = 0;
    std::uint32_t m_symbolCount = 0; // as many as there can be in the segment
    std::uintptr_t m_strings = 0;
    std::uintptr_t m_stringsSize = 0;
    const char *m_keptStrings = nullptr;
    unsigned m_segmentCount = 0;
    Segment m_segments[MostSegments];
};

QPOOL_END_NAMESPACE

#endif

#endif // QPOOLELF_H
