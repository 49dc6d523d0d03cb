// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDFILES_H
#define QPOOLSHAREDFILES_H

#include "qpoolmemoryowners.h"
#include "qpoolprocfolder.h"

#include <map>
#include <string>
#include <utility>

namespace QPool {

/*
    The files in memory that a process has mapped or open, with what they take. What is resident in the process
    does not tell: pages of the file that the process has not touched, has unmapped, or has replaced by private
    copies stay in the file.

    Only a file that one can reach tells its size. The system leads to a mapped one through map_files, but only
    who may do more than trace the process (CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE); to an open one through fd.
    Otherwise one thing is known: a private copy of a page was made of a page of the file, which is there still.
*/
class SharedFiles
{
public:
    struct File
    {
        std::string name; // not printable
        bool script = false;
        std::uint64_t resident = 0; // pages of the file, in this process
        std::uint64_t copies = 0; // private copies of pages of it, in this process
        std::uint64_t allocated = 0; // of the file; if it is known
        bool known = false;

        // What the file takes beyond what is resident here; at least that if not known.
        std::uint64_t beyond() const noexcept
        {
            const std::uint64_t least = known ? allocated : resident + copies;
            return least > resident ? least - resident : 0;
        }
    };

    // At most that many are told from one another.
    static constexpr std::size_t MostFiles = 64 * 1024;

    void read(const ProcFolder &process, const MemoryMap &map);

    template <class Visit>
    void forEach(Visit &&visit) const
    {
        for (const auto &entry : m_files)
            visit(entry.second);
    }

private:
    using Key = std::pair<std::uint64_t, std::uint64_t>; // device, inode

    void readMappings(const ProcFolder &process, const MemoryMap &map);
    void readDescriptors(const ProcFolder &process);

    std::map<Key, File> m_files;
};

// The graphics memory that the process's open devices tell: bytes of buffers that have memory. The same buffers
// may be mapped, and several processes may have them.
std::uint64_t graphicsBytes(const ProcFolder &process);

} // namespace QPool

#endif // QPOOLSHAREDFILES_H
