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
    The folder below /proc of one process. Held open it stays that process's: once the process
    is gone every look into it fails, also when another has got the same number.
*/
class ProcEntry
{
public:
    // Invalid, with errno set, if there is no such process.
    explicit ProcEntry(std::int64_t pid);

    bool isValid() const noexcept { return bool(m_folder); }

    // False for a process that has ended, one that its parent has not asked after included.
    bool isAlive() const;

    // The name of the program's file, without anything a terminal would not print.
    std::string programName() const;

    // Opens, for reading, the file that the process has open as a memory file named \a name;
    // \a number is the process's for it. Invalid with errno ENOENT if it has none, EACCES if
    // it may not be looked at.
    Descriptor openMemoryFile(const std::string &name, std::string *number) const;

    // Whether the process still has open, as \a number, what \a file is.
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
