// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmappings.h"

#include "../os/qpoolelfcopies.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace QPool {

namespace {

constexpr std::size_t MostEntries = 256 * 1024;
constexpr std::size_t MostPathBytes = 16 * 1024 * 1024;
constexpr std::uint64_t MostText = std::uint64_t(1) << 30;
constexpr std::uint64_t MostRead = 64 * 1024 * 1024; // of the modules' headers

constexpr char Deleted[] = " (deleted)";
constexpr std::size_t DeletedLength = sizeof(Deleted) - 1;

} // namespace

// The lines of the text. One that is longer than the buffer, and no line with a path of a usable length is,
// is left out.
class Mappings::Lines
{
public:
    explicit Lines(int file) : m_file(file), m_text(128 * 1024) { }
    ~Lines() { close(m_file); }

    // Null at the end, and after an error.
    const char *next()
    {
        for (bool isRest = false;;) {
            char *line = m_text.data() + m_begin;
            if (void *end = std::memchr(line, '\n', m_end - m_begin)) {
                *static_cast<char *>(end) = '\0';
                m_begin = std::size_t(static_cast<char *>(end) + 1 - m_text.data());
                if (!isRest)
                    return line;
                isRest = false;
                continue;
            }
            std::memmove(m_text.data(), line, m_end - m_begin);
            m_end -= m_begin;
            m_begin = 0;
            if (m_end == m_text.size()) {
                isRest = true;
                m_end = 0;
            }
            if (!readMore())
                return nullptr;
        }
    }

    // Whether there was any text, and no error. A process that is being reaped has none.
    bool isComplete() const { return m_all > 0 && m_result >= 0; }

private:
    bool readMore()
    {
        do {
            m_result = ::read(m_file, m_text.data() + m_end, m_text.size() - m_end);
        } while (m_result < 0 && errno == EINTR);
        m_end += m_result > 0 ? std::size_t(m_result) : 0;
        m_all += m_result > 0 ? std::uint64_t(m_result) : 0;
        return m_result > 0 && m_all < MostText;
    }

    const int m_file;
    SystemVector<char> m_text;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    std::uint64_t m_all = 0;
    ssize_t m_result = -1;
};

bool Mappings::read(const ProcessMemory &memory)
{
    m_entries.clear();
    m_paths.clear();
    const int file = memory.openFile("maps");
    if (file < 0)
        return false;
    Lines lines(file);
    std::uint64_t left = MostRead;
    while (const char *line = lines.next())
        add(line, memory, &left);
    return lines.isComplete();
}

// "begin-end permissions offset major:minor inode path"
void Mappings::add(const char *line, const ProcessMemory &memory, std::uint64_t *left)
{
    char *rest = nullptr;
    Entry entry {};
    entry.begin = std::strtoull(line, &rest, 16);
    entry.end = *rest == '-' ? std::strtoull(rest + 1, &rest, 16) : 0;
    if (entry.end <= entry.begin || std::strlen(rest) <= 5 || m_entries.size() == MostEntries)
        return;
    entry.executable = rest[3] == 'x';
    const std::uintptr_t offset = std::strtoull(rest + 5, &rest, 16);
    entry.device = std::strtoull(rest, &rest, 16) << 32;
    entry.device |= *rest == ':' ? std::strtoull(rest + 1, &rest, 16) : 0;
    entry.inode = std::strtoull(rest, &rest, 10);
    const char *path = rest + std::strspn(rest, " ");
    if (!*path) {
        addZeroes(entry, memory, left);
        return;
    }
    // Only paths of files begin with a slash; shared memory and devices do, too.
    if (*path != '/' || std::strncmp(path, "/memfd:", 7) == 0 || std::strncmp(path, "/dev/", 5) == 0
        || std::strncmp(path, "/SYSV", 5) == 0) {
        return;
    }
    const Entry *last = m_entries.empty() ? nullptr : &m_entries.back();
    const bool isSame = last && std::strcmp(pathOf(*last), path) == 0;
    entry.base = isSame && offset != 0 ? last->base : entry.begin - offset;
    entry.path = isSame ? last->path : std::uint32_t(m_paths.size());
    const std::size_t bytes = std::strlen(path) + 1;
    if (!isSame && bytes > MostPathBytes - m_paths.size())
        return;
    if (!isSame)
        m_paths.insert(m_paths.end(), path, path + bytes);
    m_entries.push_back(entry);
}

// A module's zero-initialised variables follow it, which the file does not contain. Copies of other modules'
// type information and vtables may be among them. Other anonymous memory may follow directly, even in the
// same line of the text, and is not the module's.
void Mappings::addZeroes(const Entry &following, const ProcessMemory &memory, std::uint64_t *left)
{
    if (m_entries.empty() || m_entries.back().end != following.begin || m_entries.back().executable)
        return;
    Entry zeroes = m_entries.back();
    const ElfCopies copies(memory.descriptor(), UINTPTR_MAX, left);
    const ElfReader module(copies, ElfReader::Loaded, zeroes.base);
    const std::uintptr_t page = std::uintptr_t(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t end = (module.bias() + module.end() + page - 1) / page * page;
    if (module.error() != ElfReader::NoError || end <= following.begin)
        return;
    zeroes.begin = following.begin;
    zeroes.end = std::min(end, following.end);
    zeroes.inode = 0;
    m_entries.push_back(zeroes);
}

const Mappings::Entry *Mappings::find(std::uintptr_t address) const noexcept
{
    const auto behind = std::upper_bound(m_entries.begin(), m_entries.end(), address,
                                         [](std::uintptr_t place, const Entry &entry) {
                                             return place < entry.end;
                                         });
    return behind != m_entries.end() && address >= behind->begin ? &*behind : nullptr;
}

std::uint64_t Mappings::bytes() const noexcept
{
    std::uint64_t sum = 0;
    for (const Entry &entry : m_entries)
        sum += entry.end - entry.begin;
    return sum;
}

bool Mappings::isDeleted(const Entry &entry) const noexcept
{
    const char *path = pathOf(entry);
    const std::size_t length = std::strlen(path);
    return length > DeletedLength && std::strcmp(path + length - DeletedLength, Deleted) == 0;
}

std::string Mappings::nameOf(const Entry &entry) const
{
    std::string name = pathOf(entry);
    if (isDeleted(entry))
        name.erase(name.size() - DeletedLength);
    return name.substr(name.rfind('/') + 1);
}

} // namespace QPool
