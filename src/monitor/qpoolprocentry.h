// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPROCENTRY_H
#define QPOOLPROCENTRY_H

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace QPool {

// An open file or folder.
class Descriptor
{
public:
    explicit Descriptor(int descriptor = -1) noexcept
        : m_descriptor(descriptor)
    {
    }
    ~Descriptor();
    Descriptor(Descriptor &&other) noexcept
        : m_descriptor(other.m_descriptor)
    {
        other.m_descriptor = -1;
    }
    Descriptor &operator=(Descriptor &&other) noexcept;

    explicit operator bool() const noexcept { return m_descriptor >= 0; }
    int get() const noexcept { return m_descriptor; }

private:
    int m_descriptor;
};

/*
    The folder of one process below /proc. While it is open it belongs to that process: after the
    process has ended every access fails, even if another process has the same number.
*/
class ProcEntry
{
public:
    // Invalid, with errno set, if there is no such process.
    explicit ProcEntry(std::int64_t pid);

    bool isValid() const noexcept { return bool(m_folder); }

    // False if the process has ended, even if its parent has not waited for it yet.
    bool isAlive() const;

    // The name of the program's file, printable.
    std::string programName() const;

    // Opens the memory file named \a name that the process has open, for reading. \a number is the
    // process's descriptor of it. If the result is invalid, errno is ENOENT: the process has no such
    // file, or EACCES: the caller may not read the process's folder.
    Descriptor openMemoryFile(const std::string &name, std::string *number) const;

    // Whether the process's descriptor \a number still is of the same file as \a file.
    bool holds(const std::string &number, const Descriptor &file) const;

    // All processes of the system, by number.
    static std::vector<std::int64_t> all();

private:
    std::string linkTarget(const std::string &path) const;
    std::string text(const char *path) const;

    Descriptor m_folder;
};

} // namespace QPool

#endif // QPOOLPROCENTRY_H
