// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmappings.h"

#include "qpoolloadedsegments.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace QPool {

bool Mappings::readText(const ProcessMemory &memory)
{
    const int file = memory.openFile("maps");
    if (file < 0)
        return false;
    constexpr std::size_t step = 256 * 1024;
    std::size_t size = 0;
    ssize_t count = 0;
    do {
        m_text.resize(size + step);
        count = ::read(file, m_text.data() + size, step);
        size += count > 0 ? std::size_t(count) : 0;
    } while (count > 0 || (count < 0 && errno == EINTR));
    ::close(file);
    m_text.resize(size + 1);
    m_text[size] = '\0';
    // A process that is being reaped has none.
    return count == 0 && size > 0;
}

bool Mappings::read(const ProcessMemory &memory)
{
    m_entries.clear();
    if (!readText(memory))
        return false;
    for (char *line = m_text.data(); *line;) {
        char *end = std::strchr(line, '\n');
        if (end)
            *end = '\0';
        // "begin-end permissions offset device inode path"
        char *rest = line;
        Entry entry {};
        entry.begin = std::strtoull(rest, &rest, 16);
        entry.end = *rest == '-' ? std::strtoull(rest + 1, &rest, 16) : 0;
        if (std::strlen(rest) > 5) {
            entry.executable = rest[3] == 'x';
            entry.offset = std::strtoull(rest + 5, &rest, 16);
        }
        // Only paths of files begin with a slash; shared memory and devices do, too.
        const char *path = std::strchr(rest, '/');
        if (path && std::strncmp(path, "/memfd:", 7) != 0 && std::strncmp(path, "/dev/", 5) != 0
            && std::strncmp(path, "/SYSV", 5) != 0) {
            entry.path = std::uint32_t(path - m_text.data());
        } else if (!std::strpbrk(rest, "/[") && !m_entries.empty()
                   && m_entries.back().end == entry.begin && !m_entries.back().executable) {
            addZeroes(memory, &entry);
        }
        if (entry.end > entry.begin)
            m_entries.push_back(entry);
        if (!end)
            break;
        line = end + 1;
    }
    return true;
}

// A module's zero-initialised variables follow it, which the file does not contain. Copies of other modules'
// type information and vtables may be among them. Other anonymous memory may follow directly, even in the
// same line of the text, and is not the module's.
void Mappings::addZeroes(const ProcessMemory &memory, Entry *entry)
{
    const Entry &module = m_entries.back();
    if (!module.path)
        return;
    const std::uintptr_t page = std::uintptr_t(::sysconf(_SC_PAGESIZE));
    std::uintptr_t end = 0;
    const bool isModule = forEachLoadedSegment(
            memory, baseOf(module), [&](const ElfW(Phdr) &segment, std::uintptr_t bias) {
                if (segment.p_type == PT_LOAD)
                    end = std::max(end, std::uintptr_t(bias + segment.p_vaddr + segment.p_memsz));
            });
    end = (end + page - 1) / page * page;
    if (!isModule || end <= entry->begin)
        return;
    Entry zeroes = *entry;
    zeroes.end = std::min(end, entry->end);
    zeroes.path = module.path;
    zeroes.offset = zeroes.begin;
    m_entries.push_back(zeroes);
    entry->begin = zeroes.end;
}

const Mappings::Entry *Mappings::find(std::uintptr_t address) const noexcept
{
    const auto behind = std::upper_bound(m_entries.begin(), m_entries.end(), address,
                                         [](std::uintptr_t place, const Entry &entry) {
                                             return place < entry.end;
                                         });
    return behind != m_entries.end() && address >= behind->begin ? &*behind : nullptr;
}

std::string Mappings::nameOf(const Entry &entry) const
{
    std::string name = pathOf(entry);
    constexpr char deleted[] = " (deleted)";
    constexpr std::size_t length = sizeof(deleted) - 1;
    if (name.size() > length && name.compare(name.size() - length, length, deleted) == 0)
        name.erase(name.size() - length);
    return name.substr(name.rfind('/') + 1);
}

std::uintptr_t Mappings::baseOf(const Entry &entry) const noexcept
{
    const auto index = std::size_t(&entry - m_entries.data());
    for (std::size_t i = index + 1; i-- > 0;) {
        const Entry &other = m_entries[i];
        if (other.path && std::strcmp(pathOf(other), pathOf(entry)) == 0 && other.offset == 0)
            return other.begin;
    }
    return entry.begin - entry.offset;
}

} // namespace QPool
