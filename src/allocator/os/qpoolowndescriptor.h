// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOWNDESCRIPTOR_H
#define QPOOLOWNDESCRIPTOR_H

#include "qpoolunix.h"

#include <sys/stat.h>
#include <unistd.h>

QPOOL_BEGIN_NAMESPACE

namespace Os {

/*
    A descriptor that is kept over time. A program may close descriptors that it does not know, and
    then a file of its own gets the number. So whoever uses the number asks for it each time, and
    gets it only while it is that of the same file.

    Another thread may close the number between the question and the use. Nothing can prevent this:
    prefer memory that stays mapped without a descriptor. In a child of fork() there is no such
    thread.
*/
class OwnDescriptor
{
public:
    constexpr OwnDescriptor() = default;

    // Keeps the file that has \a number now; none if there is no such file.
    explicit OwnDescriptor(int number) noexcept
    {
        const KeptErrno kept;
        struct stat status;
        if (fstat(number, &status) != 0)
            return;
        m_number = number;
        m_device = std::uint64_t(status.st_dev);
        m_inode = std::uint64_t(status.st_ino);
    }

    // The file's number; -1 if it has none any more.
    int number() const noexcept
    {
        const KeptErrno kept;
        struct stat status;
        const bool isSame = m_number >= 0 && fstat(m_number, &status) == 0
                && std::uint64_t(status.st_dev) == m_device
                && std::uint64_t(status.st_ino) == m_inode;
        return isSame ? m_number : -1;
    }

    void close() noexcept
    {
        const KeptErrno kept;
        if (const int ours = number(); ours >= 0)
            ::close(ours);
        m_number = -1;
    }

private:
    int m_number = -1;
    std::uint64_t m_device = 0;
    std::uint64_t m_inode = 0;
};

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLOWNDESCRIPTOR_H
