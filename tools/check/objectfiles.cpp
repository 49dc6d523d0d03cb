// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "objectfiles.h"

#include <QtCore/qfile.h>
#include <QtCore/qfileinfo.h>

#include <cstdlib>
#include <cstring>

#include <cxxabi.h>
#include <link.h>

using namespace Qt::StringLiterals;

namespace {

constexpr char ArchiveMagic[] = "!<arch>\n";
constexpr qsizetype ArchiveMagicSize = sizeof(ArchiveMagic) - 1;

const QString Broken = u"broken or not complete"_s;

// Null if the file is too short.
QByteArrayView part(QByteArrayView content, quint64 offset, quint64 size)
{
    const auto whole = quint64(content.size());
    return offset <= whole && size <= whole - offset
            ? content.sliced(qsizetype(offset), qsizetype(size))
            : QByteArrayView();
}

template <typename Value>
bool read(QByteArrayView content, quint64 offset, Value *value)
{
    const QByteArrayView found = part(content, offset, sizeof(*value));
    if (!found.isEmpty())
        std::memcpy(value, found.data(), sizeof(*value));
    return !found.isEmpty();
}

QByteArrayView stringAt(QByteArrayView strings, quint64 offset)
{
    if (offset >= quint64(strings.size()))
        return {};
    const QByteArrayView rest = strings.sliced(qsizetype(offset));
    const qsizetype length = rest.indexOf('\0');
    return length < 0 ? QByteArrayView() : rest.first(length);
}

// The relevant sections of one object file. ElfReader is no help here: it reads what the dynamic linker does,
// which is in segments, and refuses a file without any, because QtCore must not load such a file.
class Sections
{
public:
    explicit Sections(QByteArrayView content) : m_content(content)
    {
        ElfW(Ehdr) header;
        if (!read(content, 0, &header) || header.e_shentsize != sizeof(ElfW(Shdr)))
            return;
        // If there are more sections than the header has room for, the first one has their number.
        ElfW(Shdr) first {};
        read(content, header.e_shoff, &first);
        const quint64 count = header.e_shnum ? header.e_shnum : first.sh_size;
        ElfW(Shdr) section;
        for (quint64 i = 0; i < count; ++i) {
            if (!read(content, header.e_shoff + i * sizeof(section), &section))
                return;
            m_sections.append(section);
        }
        for (const ElfW(Shdr) &each : std::as_const(m_sections)) {
            if (each.sh_type == SHT_SYMTAB && each.sh_link < quint64(m_sections.size())) {
                m_symbols = contentOf(each);
                m_names = contentOf(m_sections[each.sh_link]);
            }
        }
    }

    bool isEmpty() const { return m_sections.isEmpty(); }

    struct Symbol
    {
        QByteArrayView name;
        quint64 section = 0;
        bool isWeak = false;
    };

    quint64 symbolCount() const { return quint64(m_symbols.size()) / sizeof(ElfW(Sym)); }

    Symbol symbol(quint64 index) const
    {
        ElfW(Sym) found;
        if (!read(m_symbols, index * sizeof(found), &found))
            return {};
        return { stringAt(m_names, found.st_name), found.st_shndx,
                 ELF64_ST_BIND(found.st_info) == STB_WEAK };
    }

    // Calls \a visit with the name of each symbol that a relocation of the section refers to.
    template <typename Visitor>
    void forEachReference(quint64 section, Visitor &&visit) const
    {
        constexpr int shift = sizeof(ElfW(Addr)) == 8 ? 32 : 8;
        for (const ElfW(Shdr) &each : m_sections) {
            const bool isRelocation = each.sh_type == SHT_RELA || each.sh_type == SHT_REL;
            if (!isRelocation || each.sh_info != section || each.sh_entsize < sizeof(ElfW(Rel)))
                continue;
            ElfW(Rel) relocation; // begins like those with an addend
            const QByteArrayView content = contentOf(each);
            for (quint64 at = 0; read(content, at, &relocation); at += each.sh_entsize)
                visit(symbol(relocation.r_info >> shift).name);
        }
    }

private:
    QByteArrayView contentOf(const ElfW(Shdr) &section) const
    {
        return part(m_content, section.sh_offset, section.sh_size);
    }

    QByteArrayView m_content;
    QList<ElfW(Shdr)> m_sections;
    QByteArrayView m_symbols;
    QByteArrayView m_names;
};

bool isPoolsDelete(QByteArrayView symbol)
{
    for (const char *name : { "6QEventdlE", "7QObjectdlE", "11QObjectDatadlE" }) {
        if (symbol.contains(QByteArrayView(name)))
            return true;
    }
    return false;
}

} // namespace

bool ObjectFiles::isOne(const QString &path)
{
    QFile file(path);
    char begin[sizeof(ElfW(Ehdr))] = {};
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly) // a pipe would wait for a writer
        || file.read(begin, sizeof(begin)) < ArchiveMagicSize) {
        return false;
    }
    if (std::memcmp(begin, ArchiveMagic, ArchiveMagicSize) == 0)
        return true;
    ElfW(Ehdr) header;
    std::memcpy(&header, begin, sizeof(header));
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_type == ET_REL;
}

QString ObjectFiles::add(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return file.errorString();
    const QByteArray all = file.readAll();
    return all.startsWith(ArchiveMagic) ? addArchive(path, all) : addObject(path, all);
}

QString ObjectFiles::addArchive(const QString &name, QByteArrayView content)
{
    // Each member has a name of 16 bytes, 32 unused bytes, its size in ten digits, two bytes.
    constexpr quint64 headerSize = 60;
    for (quint64 at = ArchiveMagicSize; at < quint64(content.size());) {
        const QByteArrayView header = part(content, at, headerSize);
        bool isNumber = false;
        const quint64 size = header.isEmpty()
                ? 0
                : header.sliced(48, 10).trimmed().toByteArray().toULongLong(&isNumber);
        const QByteArrayView member = part(content, at + headerSize, size);
        if (!isNumber || quint64(member.size()) != size)
            return Broken;
        // The other members are the archive's own tables, or not made by the compiler.
        if (member.startsWith(ELFMAG)) {
            if (const QString error = addObject(name, member); !error.isEmpty())
                return error;
        }
        at += headerSize + size + size % 2;
    }
    return {};
}

QString ObjectFiles::addObject(const QString &name, QByteArrayView content)
{
    const Sections sections(content);
    if (sections.isEmpty())
        return Broken;
    for (quint64 i = 0; i < sections.symbolCount(); ++i) {
        // Symbols of which each file has a copy, in a separate section.
        const Sections::Symbol symbol = sections.symbol(i);
        if (!symbol.isWeak || symbol.section == SHN_UNDEF || !symbol.name.endsWith("D0Ev"))
            continue;
        bool isPooled = false;
        sections.forEachReference(symbol.section, [&isPooled](QByteArrayView reference) {
            isPooled |= isPoolsDelete(reference);
        });
        Holders &holders = m_destructors[symbol.name.toByteArray()];
        QString &holder = isPooled ? holders.pooled : holders.unpooled;
        if (holder.isEmpty())
            holder = name;
    }
    return {};
}

QList<ObjectFiles::Conflict> ObjectFiles::conflicts() const
{
    QList<Conflict> result;
    for (auto it = m_destructors.begin(); it != m_destructors.end(); ++it) {
        if (it->pooled.isEmpty() || it->unpooled.isEmpty())
            continue;
        int status = 0;
        char *readable = abi::__cxa_demangle(it.key().constData(), nullptr, nullptr, &status);
        const QString function = QString::fromLocal8Bit(readable ? readable : it.key().constData());
        std::free(readable);
        result.append({ function.section("::~"_L1, 0, 0), it->pooled, it->unpooled });
    }
    return result;
}

QString ObjectFiles::Conflict::reason() const
{
    return u"%1 is deleted into the pool by %2 and into the heap by %3, and the linker keeps one of "
            "the two: compile both for the same Qt, or give the class a destructor in a .cpp file"_s
                    .arg(className, pooled, unpooled);
}
