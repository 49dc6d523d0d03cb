// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#if !defined(_WIN32)

#include "qpoolsegmentfile.h"

#include "../../allocator/os/qpoolos.h"
#include "../../allocator/os/qpoolunix.h"

#include <cstdio>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#  if defined(__linux__)
#    define MAP_FIXED_NOREPLACE 0x100000
#  else
#    define MAP_FIXED_NOREPLACE 0 // a hint; a mapping elsewhere is unmapped
#  endif
#endif
#ifndef MAP_NORESERVE
#  define MAP_NORESERVE 0
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

namespace {

constexpr mode_t permissions = S_IRUSR | S_IWUSR;

// On Linux, POSIX shared memory consists of files in this folder. They are opened directly, because
// shm_open() cannot make a file without a name and cannot list names.
#if defined(__linux__)
constexpr char folder[] = "/dev/shm";
#endif
constexpr char prefix[] = "qpool.";

struct Path
{
    explicit Path(const char *name) noexcept
    {
#if defined(__linux__)
        std::snprintf(text, sizeof text, "%s/%s%s", folder, prefix, name);
#else
        std::snprintf(text, sizeof text, "/%s%s", prefix, name);
#endif
    }
    char text[288];
};

// Where segments are placed. Whatever the randomisation, programs, libraries, stacks and heaps are
// in the lowest terabytes, around two thirds of the 47 bits, or at their end. The second span is
// for ThreadSanitizer, whose tables are in the first, and for systems of 39 bits.
struct Span
{
    std::uint64_t begin;
    std::uint64_t end;
};
constexpr Span spans[] = { { 0x2000'0000'0000, 0x4000'0000'0000 }, { 0x10'0000'0000, 0x60'0000'0000 } };

// ThreadSanitizer treats an address that is not in the program's ranges as a hint, and sets it to
// zero.
bool isAllowed([[maybe_unused]] const void *address) noexcept
{
#if defined(__has_feature)
#  if __has_feature(thread_sanitizer)
#    define QPOOL_UNDER_TSAN
#  endif
#endif
#if defined(QPOOL_UNDER_TSAN) || defined(__SANITIZE_THREAD__)
    const std::uint64_t number = reinterpret_cast<std::uintptr_t>(address);
    return number >= spans[1].begin && number < spans[1].end;
#else
    return true;
#endif
}

SegmentResult failure(int reason) noexcept
{
    switch (reason) {
    case EEXIST: return SegmentResult::Exists;
    case ENOENT: return SegmentResult::NotFound;
    case EACCES:
    case EPERM:
    case EROFS: return SegmentResult::NoPermission;
    case ELOOP:
    case ENXIO:
    case EISDIR: return SegmentResult::NotOurs; // a link, a pipe or socket, a folder
    case ENOSPC:
    case EFBIG:
    case ENOMEM:
    case EDQUOT: return SegmentResult::NoSpace;
    default: return SegmentResult::Failed;
    }
}

// If the file size is limited, growing a file beyond the limit raises a signal that ends the
// program.
bool mayHaveSize(std::size_t bytes) noexcept
{
    rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
            || limit.rlim_cur >= bytes;
}

int openFile(const char *path, int flags) noexcept
{
    int descriptor;
    do {
#if defined(__linux__)
        descriptor = ::open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, permissions);
#else
        descriptor = shm_open(path, flags, permissions);
#endif
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

bool removePath(const Path &path) noexcept
{
#if defined(__linux__)
    return unlink(path.text) == 0;
#else
    return shm_unlink(path.text) == 0;
#endif
}

} // namespace

SegmentResult SegmentFile::make([[maybe_unused]] const char *name, std::size_t bytes) noexcept
{
    const KeptErrno kept;
    if (!mayHaveSize(bytes))
        return SegmentResult::NoSpace;
    int descriptor = -1;
#if defined(__linux__) && defined(O_TMPFILE)
    descriptor = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, permissions);
    if (descriptor < 0 && errno == EACCES)
        return SegmentResult::NoPermission;
#endif
    if (descriptor < 0) {
        // The kernel is too old, or there is no such folder: use a temporary name that no other
        // process opens.
        std::snprintf(m_temporary, sizeof m_temporary, "new-%016llx",
                      static_cast<unsigned long long>(randomNumber()));
        descriptor = openFile(Path(m_temporary).text, O_RDWR | O_CREAT | O_EXCL);
        if (descriptor < 0) {
            m_temporary[0] = 0;
            return failure(errno);
        }
    }
    m_handle = descriptor;
    m_bytes = bytes;
    SegmentResult result = SegmentResult::Done;
    if (fchmod(descriptor, permissions) != 0 || ftruncate(descriptor, off_t(bytes)) != 0)
        result = failure(errno);
    else
        result = fill();
    if (result != SegmentResult::Done)
        close();
    return result;
}

SegmentResult SegmentFile::fill() noexcept
{
#if defined(__APPLE__)
    return SegmentResult::Done;
#else
    const KeptErrno kept;
    int reason;
    do {
        reason = posix_fallocate(int(m_handle), 0, off_t(m_bytes));
    } while (reason == EINTR);
    // A file system without this call has no holes to fill.
    return reason == 0 || reason == EOPNOTSUPP || reason == EINVAL ? SegmentResult::Done
                                                                  : failure(reason);
#endif
}

// link() follows nothing and replaces nothing: if several processes publish one name, one succeeds.
SegmentResult SegmentFile::publish(const char *name) noexcept
{
    const KeptErrno kept;
    const Path path(name);
#if defined(__linux__)
    if (!m_temporary[0]) {
        char own[40];
        std::snprintf(own, sizeof own, "/proc/self/fd/%d", int(m_handle));
        return linkat(AT_FDCWD, own, AT_FDCWD, path.text, AT_SYMLINK_FOLLOW) == 0
                ? SegmentResult::Done
                : failure(errno);
    }
    const Path temporary(m_temporary);
    const SegmentResult result =
            link(temporary.text, path.text) == 0 ? SegmentResult::Done : failure(errno);
    removePath(temporary);
    m_temporary[0] = 0;
    return result;
#else
    // Such an object cannot have a second name: make the object again with the final name. A
    // process that opens it meanwhile finds that it is too short.
    const int descriptor = openFile(path.text, O_RDWR | O_CREAT | O_EXCL);
    if (descriptor < 0)
        return failure(errno);
    removePath(Path(m_temporary));
    m_temporary[0] = 0;
    void *memory = MAP_FAILED;
    if (fchmod(descriptor, permissions) == 0 && ftruncate(descriptor, off_t(m_bytes)) == 0)
        memory = mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        removePath(path);
        ::close(descriptor);
        return SegmentResult::NoSpace;
    }
    std::memcpy(memory, m_memory, m_bytes);
    munmap(memory, m_bytes);
    void *const address = m_memory;
    munmap(m_memory, m_bytes);
    ::close(int(m_handle));
    m_handle = descriptor;
    m_memory = nullptr;
    return mapAt(address);
#endif
}

SegmentResult SegmentFile::open(const char *name, bool readOnly) noexcept
{
    const KeptErrno kept;
    const int descriptor = openFile(Path(name).text, readOnly ? O_RDONLY : O_RDWR);
    if (descriptor < 0)
        return failure(errno);
    m_handle = descriptor;
    struct stat status;
    SegmentResult result = SegmentResult::Done;
    if (fstat(descriptor, &status) != 0) {
        result = failure(errno);
    } else if (!S_ISREG(status.st_mode) || status.st_uid != geteuid()
               || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        result = SegmentResult::NotOurs;
    } else if (status.st_size <= 0 || std::uint64_t(status.st_size) > SIZE_MAX / 2) {
        result = SegmentResult::TooShort;
    } else {
        m_bytes = std::size_t(status.st_size);
    }
    if (result != SegmentResult::Done)
        close();
    return result;
}

SegmentResult SegmentFile::read(void *to, std::size_t bytes) const noexcept
{
    const KeptErrno kept;
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t count = pread(int(m_handle), static_cast<char *>(to) + done, bytes - done,
                                    off_t(done));
        if (count == 0)
            return SegmentResult::TooShort;
        if (count < 0 && errno != EINTR)
            return failure(errno);
        if (count > 0)
            done += std::size_t(count);
    }
    return SegmentResult::Done;
}

SegmentResult SegmentFile::mapAt(void *address) noexcept
{
    if (address && !isAllowed(address))
        return SegmentResult::AddressTaken;
    void *const memory = mmap(address, m_bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | (address ? MAP_FIXED_NOREPLACE : 0), int(m_handle), 0);
    if (memory == MAP_FAILED) {
        // A tool that reserves parts of the address space makes this call fail with EINVAL there.
        return errno == EEXIST || errno == EINVAL ? SegmentResult::AddressTaken : failure(errno);
    }
    if (address && memory != address) { // kernels before 4.17 take it for a hint
        munmap(memory, m_bytes);
        return SegmentResult::AddressTaken;
    }
    m_memory = memory;
    return SegmentResult::Done;
}

SegmentResult SegmentFile::map(void *address) noexcept
{
    const KeptErrno kept;
    if (address)
        return mapAt(address);
    if constexpr (sizeof(void *) < 8) {
        return mapAt(nullptr);
    } else {
        constexpr std::uint64_t step = 2 * 1024 * 1024; // the size of a huge page
        SegmentResult result = SegmentResult::Failed;
        for (const Span &span : spans) {
            const std::uint64_t room = span.end - span.begin;
            if (m_bytes > room - step)
                continue;
            for (int attempt = 0; attempt < 16; ++attempt) {
                const std::uint64_t index = randomNumber() % ((room - m_bytes) / step);
                result = mapAt(reinterpret_cast<void *>(std::uintptr_t(span.begin + index * step)));
                if (result == SegmentResult::Done)
                    return result;
            }
        }
        return result;
    }
}

void SegmentFile::keepOnlyMemory() noexcept
{
    const KeptErrno kept;
    ::close(int(m_handle));
    m_handle = -1;
}

void SegmentFile::close() noexcept
{
    const KeptErrno kept;
    if (m_memory)
        munmap(m_memory, m_bytes);
    if (m_handle >= 0)
        ::close(int(m_handle));
    if (m_temporary[0])
        removePath(Path(m_temporary));
    m_memory = nullptr;
    m_handle = -1;
    m_bytes = 0;
    m_temporary[0] = 0;
}

SegmentResult SegmentFile::remove(const char *name) noexcept
{
    const KeptErrno kept;
    return removePath(Path(name)) ? SegmentResult::Done : failure(errno);
}

void SegmentFile::list([[maybe_unused]] Visit visit, [[maybe_unused]] void *context)
{
#if defined(__linux__)
    const KeptErrno kept;
    DIR *const entries = opendir(folder);
    if (!entries)
        return;
    while (const dirent *entry = readdir(entries)) {
        if (std::strncmp(entry->d_name, prefix, sizeof prefix - 1) == 0)
            visit(entry->d_name + sizeof prefix - 1, context);
    }
    closedir(entries);
#endif
}

} // namespace Os

QPOOL_END_NAMESPACE

#endif // !defined(_WIN32)
