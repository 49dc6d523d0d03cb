// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPROCESSMEMORY_H
#define QPOOLPROCESSMEMORY_H

#include "qpoolreadablememory.h"

#include <cerrno>
#include <string>

namespace QPool {

/*
    Reads the memory of a process, this one or another, through the system: without stopping the process
    and without its help. Reading an unmapped address fails, but does not fault. An open object stays that
    process's memory: after the process has ended, or has called exec(), nothing can be read any more, even
    if another process has its number.

    Reading allocates nothing. Any thread may read, several at once.
*/
class ProcessMemory final : public ReadableMemory
{
public:
    // \a pid: 0 for the process itself. Check error() first.
    explicit ProcessMemory(std::int64_t pid) noexcept;
    ~ProcessMemory();
    ProcessMemory(const ProcessMemory &) = delete;
    ProcessMemory &operator=(const ProcessMemory &) = delete;

    // The errno of the constructor; 0 if it succeeded.
    int error() const noexcept { return m_error; }
    // The same as a sentence about \a process, without a full stop; empty if it succeeded.
    std::string problem(const std::string &process) const;
    // Whether there is no such process.
    bool isGone() const noexcept { return m_error == ENOENT || m_error == ESRCH; }

    std::size_t readSome(std::uintptr_t from, void *to, std::size_t bytes) const noexcept override;

    // Changes one word. False with errno set if the system refuses.
    bool write(std::uintptr_t to, std::uintptr_t word) const noexcept;

    // The memory as a file, in which addresses are offsets.
    int descriptor() const noexcept { return m_memory; }

    // Opens another file of the process's folder below /proc, which the caller reads and closes. -1 with
    // errno set if the system refuses.
    int openFile(const char *name) const noexcept;
    // Opens it only as a place (O_PATH), without effect on what is there.
    int openPlace(const char *name) const noexcept;

private:
    int m_folder = -1;
    int m_memory = -1;
    int m_error = 0;
};

} // namespace QPool

#endif // QPOOLPROCESSMEMORY_H
