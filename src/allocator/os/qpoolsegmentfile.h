// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSEGMENTFILE_H
#define QPOOLSEGMENTFILE_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

namespace Os {

enum class SegmentResult {
    Done,
    Exists, // of that name, already
    NotFound,
    NoPermission,
    NotOurs, // of another user, not a file, or open to others
    NoSpace, // the system has not as much memory for it, or the process may have no file so large
    AddressTaken,
    TooShort,
    Unsupported,
    Failed
};

/*
    Memory with a name, that several processes of one user map at the same address: a file in /dev/shm
    (Linux), a POSIX shared memory object, a file mapping in the session (Windows).

    What is made has no name, if the system can do that, until publish() gives it one: so nobody
    comes upon half a segment, and a process that dies before leaves nothing behind. All of it has
    memory from the start: a system that has none left later would end the process at a first touch.

    Permissions are 0600 whatever the umask. What is opened must be a plain file of the calling
    user, open to nobody else; symbolic links are not followed. Not for several threads at once.
*/
class SegmentFile
{
public:
    SegmentFile() = default;
    SegmentFile(SegmentFile &&other) noexcept;
    SegmentFile &operator=(SegmentFile &&other) noexcept;
    ~SegmentFile() { close(); }

    // \a bytes of zeroes.
    SegmentResult make(const char *name, std::size_t bytes) noexcept;
    SegmentResult publish(const char *name) noexcept;

    // What exists; only to be read from, if \a readOnly.
    SegmentResult open(const char *name, bool readOnly = false) noexcept;

    // The first \a bytes, into memory that cannot fault if the file is cut short meanwhile.
    SegmentResult read(void *to, std::size_t bytes) const noexcept;

    // Sees to it that there are no holes.
    SegmentResult fill() noexcept;

    // Maps all of it at \a address and nowhere else; null: at an address that is chosen where other
    // processes are unlikely to have anything.
    SegmentResult map(void *address) noexcept;

    void close() noexcept;

    std::size_t bytes() const noexcept { return m_bytes; }
    void *memory() const noexcept { return m_memory; }

    // Takes the name away. The memory lives until the last process has unmapped it.
    static SegmentResult remove(const char *name) noexcept;

    // Calls \a visit with each name there is; of files of other users, too.
    using Visit = void (*)(const char *name, void *context);
    static void list(Visit visit, void *context);

private:
    SegmentResult mapAt(void *address) noexcept;

    std::intptr_t m_handle = -1;
    void *m_memory = nullptr;
    std::size_t m_bytes = 0;
    char m_temporary[32] = {}; // the name until publish(), where there has to be one
};

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLSEGMENTFILE_H
