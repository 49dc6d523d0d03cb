// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedfiles.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

namespace QPool {

namespace {

constexpr std::size_t MostDescriptors = 256 * 1024;
constexpr std::uint64_t BlockBytes = 512; // of st_blocks, whatever the file system's are

std::string mapFileOf(const MemoryMapping &mapping)
{
    char name[64];
    std::snprintf(name, sizeof(name), "map_files/%llx-%llx", static_cast<unsigned long long>(mapping.begin),
                  static_cast<unsigned long long>(mapping.end));
    return name;
}

// The number of bytes in "drm-total-system0:  123 KiB"; 0 for another line.
std::uint64_t bytesIn(const std::string &line, const char *key)
{
    if (line.compare(0, std::strlen(key), key) != 0)
        return 0;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos)
        return 0;
    char *unit = nullptr;
    const std::uint64_t number = std::strtoull(line.c_str() + colon + 1, &unit, 10);
    return number * (std::strstr(unit, "MiB") ? 1024 * 1024 : std::strstr(unit, "KiB") ? 1024 : 1);
}

} // namespace

void SharedFiles::read(const ProcFolder &process, const MemoryMap &map)
{
    m_files.clear();
    readMappings(process, map);
    readDescriptors(process);
}

void SharedFiles::readMappings(const ProcFolder &process, const MemoryMap &map)
{
    for (const MemoryMapping &mapping : map.mappings()) {
        if (mapping.inode == 0 || mapping.huge > 0 || !MappingName::isMemoryFile(mapping))
            continue;
        const Key key { mapping.device, mapping.inode };
        auto found = m_files.find(key);
        if (found == m_files.end()) {
            if (m_files.size() >= MostFiles)
                continue;
            File file;
            file.name = mapping.name;
            file.script = MappingName::isScript(mapping);
            struct stat status {};
            if (process.status(mapFileOf(mapping), &status) && status.st_ino == mapping.inode) {
                file.allocated = std::uint64_t(status.st_blocks) * BlockBytes;
                file.known = true;
            }
            found = m_files.emplace(key, std::move(file)).first;
        }
        found->second.resident += mapping.fromFile();
        found->second.copies += mapping.anonymous;
    }
}

void SharedFiles::readDescriptors(const ProcFolder &process)
{
    process.list("fd", MostDescriptors, [&](const char *number) {
        MemoryMapping named;
        named.name = process.linkTarget(std::string("fd/") + number);
        struct stat status {};
        if (!MappingName::isMemoryFile(named) || !process.status(std::string("fd/") + number, &status)
            || !S_ISREG(status.st_mode)) {
            return;
        }
        const Key key { status.st_dev, status.st_ino };
        if (m_files.size() >= MostFiles && m_files.find(key) == m_files.end())
            return;
        File &file = m_files[key];
        if (file.name.empty()) {
            file.name = named.name;
            file.script = MappingName::isScript(named);
        }
        file.allocated = std::uint64_t(status.st_blocks) * BlockBytes;
        file.known = true;
    });
}

std::uint64_t graphicsBytes(const ProcFolder &process)
{
    std::uint64_t sum = 0;
    std::set<std::string> clients; // several descriptors may be of one
    process.list("fd", MostDescriptors, [&](const char *number) {
        if (process.linkTarget(std::string("fd/") + number).compare(0, 9, "/dev/dri/") != 0)
            return;
        const std::string text = process.text(std::string("fdinfo/") + number, 64 * 1024);
        std::string client;
        std::uint64_t resident = 0;
        std::uint64_t memory = 0; // what older drivers tell instead
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            const std::string line = text.substr(begin, end - begin);
            begin = end + 1;
            if (line.compare(0, 14, "drm-client-id:") == 0 || line.compare(0, 9, "drm-pdev:") == 0)
                client += line;
            resident += bytesIn(line, "drm-resident-");
            memory += bytesIn(line, "drm-memory-");
        }
        if (client.empty() || clients.insert(client).second)
            sum += resident ? resident : memory;
    });
    return sum;
}

} // namespace QPool
