// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedmemory.h"

#include <cerrno>
#include <cstring>

#if defined(__linux__)

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Newer systems have it even if the headers of this compilation do not.
#ifndef F_SEAL_FUTURE_WRITE
#  define F_SEAL_FUTURE_WRITE 0x0010
#endif
#ifndef MFD_NOEXEC_SEAL
#  define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef MADV_POPULATE_WRITE
#  define MADV_POPULATE_WRITE 23
#endif

QPOOL_BEGIN_NAMESPACE

static int createFile(const char *name) noexcept
{
    constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int descriptor = memfd_create(name, flags | MFD_NOEXEC_SEAL);
    if (descriptor < 0 && errno == EINVAL)
        descriptor = memfd_create(name, flags);
    return descriptor;
}

// If the file size is limited, growing a file beyond the limit raises a signal that ends the
// program.
static bool mayHaveSize(std::size_t bytes) noexcept
{
    rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
            || limit.rlim_cur >= bytes;
}

char *SharedMemory::create(const char *name, std::size_t bytes) noexcept
{
    if (!mayHaveSize(bytes)) {
        errno = EFBIG;
        return nullptr;
    }
    const int descriptor = createFile(name);
    if (descriptor < 0)
        return nullptr;
    void *memory = MAP_FAILED;
    void *copy = MAP_FAILED;
    if (fchmod(descriptor, S_IRUSR | S_IWUSR) == 0 && ftruncate(descriptor, off_t(bytes)) == 0) {
        memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    if (memory != MAP_FAILED) {
        copy = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    // Possible only after the memory was mapped writable here.
    constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;
    if (copy == MAP_FAILED || fcntl(descriptor, F_ADD_SEALS, seals) != 0
        || madvise(memory, bytes, MADV_DONTFORK) != 0) {
        const int reason = errno;
        if (copy != MAP_FAILED)
            munmap(copy, bytes);
        if (memory != MAP_FAILED)
            munmap(memory, bytes);
        close(descriptor);
        errno = reason;
        return nullptr;
    }
    m_memory = static_cast<char *>(memory);
    m_copy = static_cast<char *>(copy);
    m_bytes = bytes;
    m_descriptor = Os::OwnDescriptor(descriptor);
    return m_memory;
}

void SharedMemory::discard() noexcept
{
    if (!m_memory)
        return;
    const int saved = errno;
    munmap(m_memory, m_bytes);
    munmap(m_copy, m_bytes);
    m_descriptor.close();
    *this = SharedMemory();
    errno = saved;
}

// Has the kernel write one byte or more to each page, in a call that every program makes and no
// sandbox forbids: without memory the call fails, where an access would end the program. Returns
// false then.
static bool touchByKernel(char *memory, std::size_t bytes) noexcept
{
    const std::size_t systemPage = std::size_t(sysconf(_SC_PAGESIZE));
    constexpr std::size_t signalSetBytes = (_NSIG + 6) / 8; // _NSIG is 128 on MIPS, elsewhere 65
    for (char *page = memory; page != memory + bytes; page += systemPage) {
        if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, page, signalSetBytes) != 0)
            return false;
        std::memset(page, 0, signalSetBytes);
    }
    return true;
}

static std::size_t roundedToPages(std::size_t bytes) noexcept
{
    const std::size_t systemPage = std::size_t(sysconf(_SC_PAGESIZE));
    return (bytes + systemPage - 1) / systemPage * systemPage;
}

bool SharedMemory::populate(char *memory, std::size_t bytes) noexcept
{
    const int saved = errno;
    const std::size_t whole = roundedToPages(bytes);
    bool isDone = madvise(memory, whole, MADV_POPULATE_WRITE) == 0;
    // Before Linux 5.14. Not by fallocate(): it needs the descriptor, whose number may be that of
    // the program's own file by now.
    if (!isDone && errno == EINVAL)
        isDone = touchByKernel(memory, whole);
    errno = saved;
    return isDone;
}

bool SharedMemory::makeUsable(std::size_t bytes) noexcept
{
    const std::size_t wanted = roundedToPages(bytes);
    if (wanted <= m_usable)
        return true;
    if (wanted > m_bytes || !populate(m_memory + m_usable, wanted - m_usable))
        return false;
    m_usable = wanted;
    return true;
}

// Copies as fork() does, while other threads write: in the child, these bytes belong to no thread.
#if defined(__has_attribute)
#  if __has_attribute(no_sanitize)
__attribute__((no_sanitize("thread")))
#  endif
#endif
void SharedMemory::copy() noexcept
{
    const auto *from = reinterpret_cast<const volatile std::uintptr_t *>(m_memory);
    auto *to = reinterpret_cast<volatile std::uintptr_t *>(m_copy);
    for (std::size_t i = 0; i < m_usable / sizeof(std::uintptr_t); ++i)
        to[i] = from[i];
    m_isCopied = m_memory != nullptr;
}

void SharedMemory::beforeFork() noexcept
{
    ++m_forks;
    copy();
}

void SharedMemory::inParent() noexcept
{
    if (m_forks == 0) // in the child of a handler that interrupted this fork()
        return;
    if (--m_forks > 0) {
        copy();
        return;
    }
    if (m_memory)
        madvise(m_copy, m_usable, MADV_DONTNEED);
    m_isCopied = false;
}

/*
    A limit may refuse either way to get the copy to its place, but hardly both:
    - mremap() takes neither addresses nor memory, so it works in a process that lowered its limits
      below what it has. But the kernel refuses it unless four more mappings are allowed.
    - mmap() needs one mapping, and the child has one less than the parent was allowed, because the
      shared memory is not inherited. The end of the copy, which is given back first, makes room for
      the addresses.
*/
void SharedMemory::inChild() noexcept
{
    if (!m_memory) {
        m_forks = 0; // the parent's
        return;
    }
    const int saved = errno;
    if (m_isCopied) {
        // The thread may have been in copy() when a signal handler forked, and goes on there in the child
        // when the handler returns.
        const bool isNeeded = m_forks > 1;
        munmap(m_copy + m_usable, m_bytes - m_usable);
        if (isNeeded
            || mremap(m_copy, m_usable, m_usable, MREMAP_MAYMOVE | MREMAP_FIXED, m_memory)
                    == MAP_FAILED) {
            void *place = mmap(m_memory, m_usable, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
            if (place != MAP_FAILED)
                std::memcpy(place, m_copy, m_usable);
            if (!isNeeded)
                munmap(m_copy, m_usable);
        }
    } else {
        munmap(m_copy, m_bytes);
    }
    m_descriptor.close();
    *this = SharedMemory();
    errno = saved;
}

QPOOL_END_NAMESPACE

#elif defined(_WIN32)

#ifndef WIN32_LEAN_AND_MEAN
#  define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <cstdio>

QPOOL_BEGIN_NAMESPACE

// At first only addresses, which makeUsable() fills with memory. The mapping is never closed: it
// disappears with its last handle, at the end of the process.
char *SharedMemory::create(const char *name, std::size_t bytes) noexcept
{
    char path[128];
    std::snprintf(path, sizeof(path), "Local\\%s", name);
    const std::uint64_t wide = bytes;
    const HANDLE mapping = CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr,
                                              PAGE_READWRITE | SEC_RESERVE, DWORD(wide >> 32),
                                              DWORD(wide), path);
    // An object that another process made with this name must not be written to.
    const bool isTaken = mapping && GetLastError() == ERROR_ALREADY_EXISTS;
    void *memory = mapping && !isTaken ? MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, bytes)
                                       : nullptr;
    if (!memory) {
        if (mapping)
            CloseHandle(mapping);
        errno = isTaken ? EEXIST : ENOMEM;
        return nullptr;
    }
    m_memory = static_cast<char *>(memory);
    m_bytes = bytes;
    return m_memory;
}

bool SharedMemory::makeUsable(std::size_t bytes) noexcept
{
    if (bytes <= m_usable)
        return true;
    if (bytes > m_bytes || !VirtualAlloc(m_memory, bytes, MEM_COMMIT, PAGE_READWRITE))
        return false;
    m_usable = bytes;
    return true;
}

// Windows gives a mapping its memory when it is made.
bool SharedMemory::populate(char *, std::size_t) noexcept
{
    return true;
}

void SharedMemory::discard() noexcept
{
    if (m_memory)
        UnmapViewOfFile(m_memory);
    *this = SharedMemory();
}

void SharedMemory::beforeFork() noexcept { }
void SharedMemory::inParent() noexcept { }
void SharedMemory::inChild() noexcept { }

QPOOL_END_NAMESPACE

#else

QPOOL_BEGIN_NAMESPACE

char *SharedMemory::create(const char *, std::size_t) noexcept
{
    errno = ENOSYS;
    return nullptr;
}

bool SharedMemory::makeUsable(std::size_t) noexcept { return false; }
bool SharedMemory::populate(char *, std::size_t) noexcept { return true; } // cannot be known
void SharedMemory::discard() noexcept { }
void SharedMemory::beforeFork() noexcept { }
void SharedMemory::inParent() noexcept { }
void SharedMemory::inChild() noexcept { }

QPOOL_END_NAMESPACE

#endif
