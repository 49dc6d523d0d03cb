// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsymbolfile.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace QPool {

namespace {

// Whether the system, asked for this process's mappings, names the same device and inode. What fstat() says
// does not suffice: on btrfs and overlayfs it names other devices.
bool isMappedAs(int file, const Mappings::Entry &wanted)
{
    const auto page = std::size_t(sysconf(_SC_PAGESIZE));
    void *place = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE, file, 0);
    if (place == MAP_FAILED)
        return false;
    const ProcessMemory own(0);
    Mappings mappings;
    const bool isRead = own.error() == 0 && mappings.read(own);
    const Mappings::Entry *found = mappings.find(reinterpret_cast<std::uintptr_t>(place));
    const bool isSame = isRead && found && found->isSameFile(wanted);
    munmap(place, page);
    return isSame;
}

} // namespace

int SymbolFile::placeByMapping(const ProcessMemory &memory, const Mappings::Entry &entry)
{
    char name[64];
    std::snprintf(name, sizeof(name), "map_files/%llx-%llx",
                  static_cast<unsigned long long>(entry.begin),
                  static_cast<unsigned long long>(entry.end));
    return memory.openPlace(name);
}

int SymbolFile::placeByPath(const ProcessMemory &memory, const Mappings &mappings,
                            const Mappings::Entry &entry)
{
    if (mappings.isDeleted(entry))
        return -1; // the text is not a path
    int folder = memory.openPlace("root");
    const char *path = mappings.pathOf(entry);
    // Each part by itself, so that no link is followed. The system has resolved the path already, when the
    // file was mapped: a link or "..", which could lead out of the process's root, was put there since.
    for (path += std::strspn(path, "/"); folder >= 0 && *path; path += std::strspn(path, "/")) {
        const std::size_t length = std::strcspn(path, "/");
        char part[NAME_MAX + 1] = "";
        int next = -1;
        if (length < sizeof(part)) {
            std::memcpy(part, path, length);
            if (std::strcmp(part, "..") != 0)
                next = ::openat(folder, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        }
        close(folder);
        folder = next;
        path += length;
    }
    return folder;
}

int SymbolFile::openAt(int place, const Mappings::Entry &entry)
{
    if (place < 0)
        return -1;
    int file = -1;
    struct stat status;
    if (fstat(place, &status) == 0 && S_ISREG(status.st_mode)) {
        char path[40];
        std::snprintf(path, sizeof(path), "/proc/self/fd/%d", place);
        // Without O_NONBLOCK it would wait for a process that has a lease of the file.
        file = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    }
    close(place);
    if (file >= 0 && !isMappedAs(file, entry)) {
        close(file);
        file = -1;
    }
    return file;
}

int SymbolFile::open(const ProcessMemory &memory, const Mappings &mappings,
                     const Mappings::Entry &entry)
{
    int place = placeByMapping(memory, entry);
    // With the right to that way, no other is taken.
    if (place < 0 && (errno == EPERM || errno == EACCES))
        place = placeByPath(memory, mappings, entry);
    return openAt(place, entry);
}

} // namespace QPool
