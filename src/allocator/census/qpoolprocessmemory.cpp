// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// The upper half of the addresses of a 32-bit process is negative in an off_t of 32 bits.
#ifndef _FILE_OFFSET_BITS
#  define _FILE_OFFSET_BITS 64
#endif

#include "qpoolprocessmemory.h"

#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace QPool {

ProcessMemory::ProcessMemory(std::int64_t pid) noexcept
{
    char path[40] = "/proc/self";
    if (pid != 0)
        std::snprintf(path, sizeof(path), "/proc/%lld", static_cast<long long>(pid));
    m_folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    // The system checks the permission once, here, and the file stays that of this process.
    // process_vm_readv() would read any process that has the number by then.
    if (m_folder >= 0)
        m_memory = openFile("mem");
    if (m_memory < 0)
        m_error = errno;
}

ProcessMemory::~ProcessMemory()
{
    if (m_memory >= 0)
        close(m_memory);
    if (m_folder >= 0)
        close(m_folder);
}

int ProcessMemory::openFile(const char *name) const noexcept
{
    return openat(m_folder, name, O_RDONLY | O_CLOEXEC);
}

int ProcessMemory::openPlace(const char *name) const noexcept
{
    return openat(m_folder, name, O_PATH | O_CLOEXEC);
}

std::size_t ProcessMemory::readSome(std::uintptr_t from, void *to, std::size_t bytes) const noexcept
{
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t count = pread(m_memory, static_cast<char *>(to) + done, bytes - done,
                                    off_t(from + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += std::size_t(count);
    }
    return done;
}

std::string ProcessMemory::problem(const std::string &process) const
{
    if (m_error == 0)
        return {};
    if (isGone())
        return "there is no " + process;
    if (m_error == EACCES || m_error == EPERM) {
        return process + " may not be read: it is another user's, or protected, or the system lets only"
                         " its parents trace it (kernel.yama.ptrace_scope); look at it as its user, or as"
                         " the superuser";
    }
    return process + " can't be read: " + std::strerror(m_error);
}

bool ProcessMemory::write(std::uintptr_t to, std::uintptr_t word) const noexcept
{
    const int file = openat(m_folder, "mem", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool done = pwrite(file, &word, sizeof(word), off_t(to)) == ssize_t(sizeof(word));
    const int error = errno;
    close(file);
    errno = error;
    return done;
}

} // namespace QPool
