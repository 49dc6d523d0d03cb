// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmemorymap.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <sys/sysmacros.h>
#include <unistd.h>

namespace QPool {

namespace {

constexpr std::size_t MostLine = 8192; // no path of a usable length is longer
constexpr std::uint64_t MostText = std::uint64_t(1) << 30;

// The lines of a file; what a line has beyond MostLine is left out.
template <class Take>
void forEachLine(int file, Take &&take)
{
    std::vector<char> buffer(128 * 1024);
    std::string line;
    for (std::uint64_t all = 0; all < MostText;) {
        const ssize_t count = ::read(file, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        all += std::uint64_t(count);
        const char *place = buffer.data();
        const char *const end = place + count;
        while (place < end) {
            const auto *stop = static_cast<const char *>(std::memchr(place, '\n', std::size_t(end - place)));
            const std::size_t length = std::size_t((stop ? stop : end) - place);
            line.append(place, std::min(length, MostLine - line.size()));
            place += length + (stop ? 1 : 0);
            if (stop) {
                take(line);
                line.clear();
            }
        }
    }
}

} // namespace

bool MemoryMap::read(int file)
{
    m_mappings.clear();
    m_nameBytes = 0;
    forEachLine(file, [this](const std::string &line) {
        // Only the names of values begin with capital letters, and the system escapes line breaks in names.
        if (!line.empty() && line[0] >= 'A' && line[0] <= 'Z')
            add(line);
        else
            begin(line);
    });
    return !m_mappings.empty();
}

// "begin-end permissions offset major:minor inode name"
bool MemoryMap::begin(const std::string &line)
{
    char *rest = nullptr;
    MemoryMapping mapping;
    mapping.begin = std::strtoull(line.c_str(), &rest, 16);
    mapping.end = *rest == '-' ? std::strtoull(rest + 1, &rest, 16) : 0;
    if (mapping.end <= mapping.begin || std::strlen(rest) <= 5)
        return false;
    mapping.readable = rest[1] == 'r';
    mapping.writable = rest[2] == 'w';
    mapping.executable = rest[3] == 'x';
    mapping.shared = rest[4] == 's';
    std::strtoull(rest + 5, &rest, 16);
    const auto major = unsigned(std::strtoull(rest, &rest, 16));
    const auto minor = *rest == ':' ? unsigned(std::strtoull(rest + 1, &rest, 16)) : 0u;
    mapping.device = makedev(major, minor);
    mapping.inode = std::strtoull(rest, &rest, 10);
    mapping.name = rest + std::strspn(rest, " ");
    if (m_mappings.size() >= MostMappings)
        return false;
    if (mapping.name.size() > MostNameBytes - m_nameBytes)
        mapping.name.clear();
    m_nameBytes += mapping.name.size();
    m_mappings.push_back(std::move(mapping));
    return true;
}

// "Rss:  12 kB"
void MemoryMap::add(const std::string &line)
{
    struct Value
    {
        const char *name;
        std::uint64_t MemoryMapping::*sum;
    };
    constexpr Value values[] = {
        { "Rss:", &MemoryMapping::resident },         { "Private_Clean:", &MemoryMapping::own },
        { "Private_Dirty:", &MemoryMapping::own },    { "Anonymous:", &MemoryMapping::anonymous },
        { "Swap:", &MemoryMapping::swapped },         { "Shared_Hugetlb:", &MemoryMapping::huge },
        { "Private_Hugetlb:", &MemoryMapping::huge },
    };
    if (m_mappings.empty())
        return;
    if (line.compare(0, 8, "VmFlags:") == 0) // "VmFlags: rd wr nr"
        m_mappings.back().unreserved = (line + ' ').find(" nr ") != std::string::npos;
    for (const Value &value : values) {
        if (line.compare(0, std::strlen(value.name), value.name) == 0) {
            m_mappings.back().*value.sum
                    += std::strtoull(line.c_str() + std::strlen(value.name), nullptr, 10) * 1024;
            return;
        }
    }
}

const MemoryMapping *MemoryMap::find(std::uintptr_t address) const noexcept
{
    const auto behind = std::upper_bound(m_mappings.begin(), m_mappings.end(), address,
                                         [](std::uintptr_t place, const MemoryMapping &mapping) {
                                             return place < mapping.end;
                                         });
    return behind != m_mappings.end() && behind->contains(address) ? &*behind : nullptr;
}

} // namespace QPool
