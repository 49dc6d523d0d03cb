// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPUBLISHEDFILE_H
#define QPOOLPUBLISHEDFILE_H

#include "qpoolprocentry.h"

namespace QPool {

// A segment that a process has open as a memory file, mapped for reading.
class PublishedFile
{
public:
    enum Result {
        Mapped,
        Absent, // errno says why
        Unsealed, // it could shrink, and make the reader fault
        Unusable // its size makes no sense
    };

    PublishedFile() = default;
    ~PublishedFile();
    PublishedFile(const PublishedFile &) = delete;
    PublishedFile &operator=(const PublishedFile &) = delete;

    // For results other than Mapped and Absent, \a message says what is wrong.
    Result open(const ProcEntry &entry, const std::string &name, std::string *message);

    // Whether the process still has it open.
    bool isHeldBy(const ProcEntry &entry) const { return entry.holds(m_number, m_file); }

    const void *memory() const noexcept { return m_memory; }
    std::size_t bytes() const noexcept { return m_bytes; }

private:
    void close();

    std::string m_number; // among the process's open files
    Descriptor m_file;
    const void *m_memory = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace QPool

#endif // QPOOLPUBLISHEDFILE_H
