// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ELFUSE_H
#define ELFUSE_H

#include "census/qpooldemangle.h"
#include "census/qpoolvtablesymbols.h"
#include "os/qpoolelf.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

// Everything that is done with an ELF reader, over bytes that may be anything.

// Bytes in memory of exactly that size, so that AddressSanitizer detects every access beyond them. A reader
// that asks for more, without having compared with end(), ends the test.
class QPOOL_LOCAL StrictSource final : public QPool::ElfSource
{
public:
    StrictSource(const void *bytes, std::size_t size, bool keeps)
        : ElfSource(size), m_bytes(new char[size]), m_keeps(keeps)
    {
        if (size > 0)
            std::memcpy(m_bytes.get(), bytes, size);
    }

    bool read(std::uintptr_t place, void *to, std::size_t size) const noexcept override
    {
        std::memcpy(to, at(place, size), size);
        bytesRead += size;
        return true;
    }
    const char *keep(std::uintptr_t place, std::size_t size) const noexcept override
    {
        return m_keeps ? at(place, size) : nullptr;
    }

    mutable std::uint64_t bytesRead = 0;

private:
    const char *at(std::uintptr_t place, std::size_t size) const noexcept
    {
        if (place > end() || size > end() - place)
            std::abort();
        return m_bytes.get() + place;
    }

    const std::unique_ptr<char[]> m_bytes;
    const bool m_keeps;
};

namespace {

struct ElfUse
{
    std::uint64_t found = 0; // grows with each thing that was found, so that nothing is optimised away
    std::uint64_t symbols = 0; // those that were found by their names
    std::uint64_t vtables = 0;
    std::uint64_t bytesRead = 0;

    // What the module check and the comparison of builds do; the census does, too, with what is loaded.
    void run(QPool::ElfReader::Layout layout, const void *bytes, std::size_t size)
    {
        for (bool keeps : { false, true }) {
            const StrictSource source(bytes, size, keeps);
            use(QPool::ElfReader(source, layout));
            bytesRead += source.bytesRead;
        }
    }

    // What the census does with files.
    void nameVtables(const void *bytes, std::size_t size)
    {
        const StrictSource source(bytes, size, false);
        std::size_t room = 1 << 20;
        const QPool::VtableSymbols symbols(source, &room);
        vtables += symbols.count();
        for (std::uintptr_t address = 0; symbols.count() > 0 && address < size; address += 8)
            found += QPool::demangled(symbols.classAt(address)).size();
        bytesRead += source.bytesRead;
    }

private:
    void use(const QPool::ElfReader &reader)
    {
        found += reader.begin() + reader.end() + reader.error();
        reader.forEachDynamic([&](const ElfW(Dyn) &entry) {
            if (const char *text = reader.string(entry.d_un.d_val))
                found += std::strlen(text);
            return true;
        });
        for (ElfW(Sxword) tag : { DT_RELA, DT_REL, DT_JMPREL }) {
            const ElfW(Sxword) bytes = tag == DT_RELA ? DT_RELASZ : tag == DT_REL ? DT_RELSZ : DT_PLTRELSZ;
            reader.forEach<ElfW(Rela)>(reader.address(tag), reader.value(bytes) / sizeof(ElfW(Rela)),
                                       [&](const ElfW(Rela) &relocation) {
                found += relocation.r_offset;
                return true;
            });
        }
        const QPool::ElfReader::Range range = reader.exports();
        if (range.begin > range.end)
            std::abort();
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            QPool::ElfReader::Symbol symbol;
            if (!reader.symbol(i, &symbol))
                continue;
            if (const char *text = reader.string(symbol.st_name))
                found += std::strlen(text);
            if (reader.isConstant(symbol.st_value, symbol.st_size)) {
                if (const char *value = reader.keep(symbol.st_value, symbol.st_size))
                    found += std::size_t(value[0] + value[symbol.st_size - 1]);
            }
        }
        for (const char *name : { "makeShape", "zeroInitialised", "missing", "_ZTVN5Plain5ShapeE" }) {
            QPool::ElfReader::Symbol symbol;
            symbols += reader.find(name, &symbol);
        }
        for (const char *owner : { "GNU", "QPool" })
            found += reader.findNote(owner, 20) + reader.findNote(owner, 4);
        reader.forEachSection([&](const ElfW(Shdr) &section) {
            found += reader.hasContent(section);
            return true;
        });
    }
};

} // namespace

#endif // ELFUSE_H
