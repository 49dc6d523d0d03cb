// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPROCFOLDER_H
#define QPOOLPROCFOLDER_H

#include <cstdint>
#include <functional>
#include <string>

#include <sys/stat.h>

namespace QPool {

// The folder of a process below /proc, or its image in a test. While it is open it belongs to that process:
// after the process has ended all that it contains is gone, even if another process has the number.
class ProcFolder
{
public:
    explicit ProcFolder(const std::string &path);
    ~ProcFolder();
    ProcFolder(const ProcFolder &) = delete;
    ProcFolder &operator=(const ProcFolder &) = delete;

    bool isValid() const noexcept { return m_folder >= 0; }

    // A file to read, which the caller closes. -1 with errno set if the system refuses it.
    int open(const char *name) const noexcept;

    // At most \a most bytes of a file; empty if it can't be read.
    std::string text(const std::string &name, std::size_t most) const;

    std::string linkTarget(const std::string &name) const;

    // What a link of the folder leads to. It is not opened, so it may be a device or a pipe.
    bool status(const std::string &name, struct stat *status) const noexcept;

    // Calls \a visit with the names in a folder, at most \a most of them.
    void list(const char *name, std::size_t most, const std::function<void(const char *)> &visit) const;

private:
    int m_folder;
};

} // namespace QPool

#endif // QPOOLPROCFOLDER_H
