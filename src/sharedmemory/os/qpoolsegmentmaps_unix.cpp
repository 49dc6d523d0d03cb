// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// Which processes have a segment mapped.

#if !defined(_WIN32)

#include "qpoolsegmentfile.h"

#include "../../allocator/os/qpoolunix.h"

#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

QPOOL_BEGIN_NAMESPACE

namespace Os {

#if defined(__linux__)

namespace {

// The file behind a mapping, by device and inode.
struct MappedFile
{
    enum Kind { Unknown, None, Found } kind = Unknown;
    char file[64] = {};
};

// Reads /proc/PID/maps up to the mapping that contains \a address, without allocating.
MappedFile mappedFile(const char *maps, std::uintptr_t address) noexcept
{
    MappedFile result;
    const int descriptor = ::open(maps, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return result;
    char text[4096];
    std::size_t length = 0;
    bool isContinued = false; // the text begins within a line, in the name of the file
    for (bool ended = false; !ended;) {
        ssize_t count;
        do {
            count = ::read(descriptor, text + length, sizeof text - 1 - length);
        } while (count < 0 && errno == EINTR);
        if (count < 0)
            break;
        if (count == 0) {
            // A process that is ending has no mappings at all.
            result.kind = MappedFile::None;
            break;
        }
        length += std::size_t(count);
        text[length] = 0;
        char *line = text;
        while (char *end = std::strchr(line, '\n')) {
            *end = 0;
            unsigned long long from = 0, to = 0;
            char device[24], inode[24];
            if (!isContinued
                && std::sscanf(line, "%llx-%llx %*4s %*x %23s %23s", &from, &to, device, inode) == 4
                && address < to) {
                result.kind = address < from ? MappedFile::None : MappedFile::Found;
                std::snprintf(result.file, sizeof result.file, "%s %s", device, inode);
                ended = true;
                break;
            }
            isContinued = false;
            line = end + 1;
        }
        length -= std::size_t(line - text);
        std::memmove(text, line, length);
        if (length == sizeof text - 1) {
            isContinued = true;
            length = 0;
        }
    }
    ::close(descriptor);
    return result;
}

} // namespace

bool SegmentFile::isMappedBy(std::uint32_t thread, const void *address) noexcept
{
    const KeptErrno kept;
    const auto place = reinterpret_cast<std::uintptr_t>(address);
    const MappedFile ours = mappedFile("/proc/self/maps", place);
    if (ours.kind != MappedFile::Found)
        return true;
    char name[48];
    std::snprintf(name, sizeof name, "/proc/%lu/maps", static_cast<unsigned long>(thread));
    const MappedFile its = mappedFile(name, place);
    return its.kind == MappedFile::Unknown
            || (its.kind == MappedFile::Found && std::strcmp(its.file, ours.file) == 0);
}

#else

bool SegmentFile::isMappedBy(std::uint32_t, const void *) noexcept { return true; }

#endif

} // namespace Os

QPOOL_END_NAMESPACE

#endif // !defined(_WIN32)
