// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDMEMORY_H
#define QPOOLSHAREDMEMORY_H

#include "../qpoolglobal.h"

#if defined(__linux__)
#  include "qpoolowndescriptor.h"
#endif

QPOOL_BEGIN_NAMESPACE

/*
    Memory of this process that other processes of the same user may read, and only this one may
    change. It has no name in any folder: the process keeps it open, and a reader opens it below
    /proc/PID/fd. So nothing is left behind however the process ends, no other process can take the
    name first, and a process that gets the same number later cannot be mistaken for this one. Its
    size and its write access are sealed: no reader can be made to fault, and no other process can
    change the allocator's data. (Linux: memfd_create(2).)

    Windows has no equivalent. There it is a mapping with a name in the session's own namespace,
    which disappears with the process. Other processes of the user may open it for writing, too; if
    one of them took the name first, nothing is published.

    After a fork(), the child has a private copy at the same address, as if the memory had been
    private from the start. The copy is made before the fork, when the owner calls beforeFork() with
    its locks held; later, the parent would change the memory while it is copied. In a child of a
    bare clone(), which calls no handlers, the memory is missing: otherwise the child would write to
    its parent's.

    A signal handler that interrupts a fork() may fork, too. The copy then stays until the outer call
    is done with it, and is made again for it.
*/
class SharedMemory
{
public:
    constexpr SharedMemory() = default;

    // Reserves \a bytes zero-filled bytes, named \a name where the system lists them. Returns null
    // if the system refuses, and sets errno.
    char *create(const char *name, std::size_t bytes) noexcept;

    // Ensures that the first \a bytes have memory: a system without memory would kill the process
    // at the first access. Returns false if there is none.
    bool makeUsable(std::size_t bytes) noexcept;

    // Ensures this for other memory of whole pages that another process may share.
    static bool populate(char *memory, std::size_t bytes) noexcept;

    // Gives all of it back, as if it had never been reserved.
    void discard() noexcept;

    // The child's memory is private after inChild(). If beforeFork() was not called, the child has
    // none, and must not use it.
    void beforeFork() noexcept;
    void inParent() noexcept;
    void inChild() noexcept;

private:
    void copy() noexcept;

    char *m_memory = nullptr;
    char *m_copy = nullptr; // as large, empty except from beforeFork() to the handler after it
    std::size_t m_bytes = 0;
    std::size_t m_usable = 0;
    bool m_isCopied = false;
    unsigned m_forks = 0; // that have begun and not ended, each inside the one before
#if defined(__linux__)
    Os::OwnDescriptor m_descriptor; // for readers, which open it below /proc/PID/fd
#endif
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDMEMORY_H
