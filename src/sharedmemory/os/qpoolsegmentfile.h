// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSEGMENTFILE_H
#define QPOOLSEGMENTFILE_H

#include "../../allocator/qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

namespace Os {

enum class SegmentResult {
    Done,
    Exists, // the name is taken
    NotFound,
    NoPermission,
    NotOurs, // of another user, not a file, or open to others
    NoSpace, // the system lacks memory, or the process's file size limit is too low
    AddressTaken,
    TooShort,
    Unsupported,
    Failed
};

/*
    Named memory that several processes of one user map at the same address: a file in /dev/shm
    (Linux), a POSIX shared memory object, a file mapping of the session (Windows).

    Where the system allows it, new memory has no name until publish(): no process finds a half-made
    segment, and a process that dies before leaves nothing behind. All of it has memory from the
    start: a system that runs out later would end the process at the first access.

    Permissions are 0600 whatever the umask. Only a plain file of the calling user that no other
    user may access is opened; symbolic links are not followed. Not thread-safe.
*/
class SegmentFile
{
public:
    SegmentFile() = default;
    SegmentFile(SegmentFile &&other) noexcept;
    SegmentFile &operator=(SegmentFile &&other) noexcept;
    ~SegmentFile() { close(); }

    // Makes \a bytes zero-filled bytes.
    SegmentResult make(const char *name, std::size_t bytes) noexcept;
    SegmentResult publish(const char *name) noexcept;

    // Opens existing memory; only for reading if \a readOnly.
    SegmentResult open(const char *name, bool readOnly = false) noexcept;

    // Copies the first \a bytes to \a to, without faulting if the file is truncated meanwhile.
    SegmentResult read(void *to, std::size_t bytes) const noexcept;

    // Ensures that there are no holes.
    SegmentResult fill() noexcept;

    // Leaves only the mapped memory open where that suffices: the program may close a descriptor that
    // it does not know, and use its number for a file of its own.
    void keepOnlyMemory() noexcept;

    // Maps all of it at exactly \a address; if null, at an address at which other processes are
    // unlikely to have a mapping.
    SegmentResult map(void *address) noexcept;

    void close() noexcept;

    std::size_t bytes() const noexcept { return m_bytes; }
    void *memory() const noexcept { return m_memory; }

    // Removes the name. The memory lives until the last process has unmapped it.
    static SegmentResult remove(const char *name) noexcept;

    // Returns false if the process of \a thread certainly does not have the mapping that is at
    // \a address in this one: it has called exec(). True if the system cannot tell.
    static bool isMappedBy(std::uint32_t thread, const void *address) noexcept;

    // Calls \a visit with each existing name, including those of other users' files.
    using Visit = void (*)(const char *name, void *context);
    static void list(Visit visit, void *context);

private:
    SegmentResult mapAt(void *address) noexcept;

    std::intptr_t m_handle = -1;
    void *m_memory = nullptr;
    std::size_t m_bytes = 0;
    char m_temporary[32] = {}; // the name until publish(), if it needs one
};

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLSEGMENTFILE_H
