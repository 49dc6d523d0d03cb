// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPROCESSMEMORY_H
#define QPOOLPROCESSMEMORY_H

#include <cstddef>
#include <cstdint>

namespace QPool {

/*
    The memory of a process, this one or another, as the system lets it be read: without stopping
    the process and without its help. What is not mapped is an answer, and no fault. Once opened it
    is that process's memory for good: after its end, or when it has become another program by
    exec(), nothing can be read any more, whoever has its number then.

    Allocates nothing. Any thread may read, several at once.
*/
class ProcessMemory
{
public:
    // \a pid: 0 for the process itself. Check error() first.
    explicit ProcessMemory(std::int64_t pid) noexcept;
    ~ProcessMemory();
    ProcessMemory(const ProcessMemory &) = delete;
    ProcessMemory &operator=(const ProcessMemory &) = delete;

    // The errno of the opening; 0 if it went well.
    int error() const noexcept { return m_error; }

    // How many bytes from the start of what was asked for could be read: all of them, or fewer,
    // where the rest is not mapped.
    std::size_t readSome(std::uintptr_t from, void *to, std::size_t bytes) const noexcept;

    bool read(std::uintptr_t from, void *to, std::size_t bytes) const noexcept
    {
        return readSome(from, to, bytes) == bytes;
    }
    template <class Value>
    bool read(std::uintptr_t from, Value *value) const noexcept
    {
        return read(from, value, sizeof(Value));
    }

    // Another file of the process's folder below /proc, to be read and closed by the caller; -1,
    // with errno set, if that is refused.
    int openFile(const char *name) const noexcept;

private:
    int m_folder = -1;
    int m_memory = -1;
    int m_error = 0;
};

} // namespace QPool

#endif // QPOOLPROCESSMEMORY_H
