// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDMEMORY_H
#define QPOOLSHAREDMEMORY_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    Memory of this process that others of the same user may look at, and none but this one may
    change. It has no name in any folder: the process holds it open, and who wants to see it
    opens it below /proc/PID/fd. So nothing is left behind however the process ends, nobody can
    take the name first, and a process that gets the same number later cannot be mistaken for
    this one. Its size and who may write are sealed: no reader can be made to fault, and no
    other process can reach into what the allocator works with. (Linux: memfd_create(2).)

    Windows has no such thing. There it is a mapping with a name, of the session's own namespace, which
    ends with the process. Its user's other processes may open it to write, too; and if one of them took
    the name first, nothing is published.

    A fork() leaves the child with a private copy at the same address, as if the memory had been
    private from the start. The copy is made before the fork, when the owner calls beforeFork()
    with its locks held: later than that, the parent would go on changing what is copied. In a
    child of a bare clone(), which calls no handlers, the memory is missing: the child would
    write to its parent's otherwise.
*/
class SharedMemory
{
public:
    constexpr SharedMemory() = default;

    // Reserves \a bytes of zeroes, named \a name where the system lists them; null when that
    // is refused, and errno says why.
    char *create(const char *name, std::size_t bytes) noexcept;

    // Makes sure that the first \a bytes have memory behind them: a system that has none left
    // would kill the process at the first touch. False if there is none.
    bool makeUsable(std::size_t bytes) noexcept;

    // The child's memory is private after inChild().
    void beforeFork() noexcept;
    void inParent() noexcept;
    void inChild() noexcept;

private:
    char *m_memory = nullptr;
    char *m_copy = nullptr; // as large, empty but between beforeFork() and what follows it
    std::size_t m_bytes = 0;
    std::size_t m_usable = 0;
    int m_descriptor = -1;
    std::uint64_t m_inode = 0;
    std::uint64_t m_device = 0;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDMEMORY_H
