// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHUGEMEMORY_H
#define QPOOLHUGEMEMORY_H

#include "../../allocator/qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    Memory in pages of 2 MiB, if the system has any, and memory that is fetched in advance.

    There are two kinds of huge pages, only on Linux. The administrator sets reserved ones aside
    (vm.nr_hugepages); they are certain once they are mapped. The kernel makes transparent ones
    itself when a whole aligned 2 MiB of a mapping is touched and that much contiguous memory is
    free; madvise() is only a request. Without either, the memory has ordinary pages. Nothing here
    fails for lack of huge pages.

    Any thread may call any function at any time. None throws, and all preserve errno.
*/
namespace HugeMemory {

inline constexpr std::size_t PageBytes = 2 * 1024 * 1024;

enum class Pages { Ordinary, Transparent, Reserved };

// "ordinary", "transparent" or "reserved".
const char *name(Pages pages) noexcept;

struct Mapping
{
    void *address = nullptr; // aligned to PageBytes
    Pages pages = Pages::Ordinary; // what was requested from the system and not refused
};

/*
    Returns the kind that the system grants: Transparent, or Ordinary if transparent huge pages are
    off for the machine or the process, or have another size than PageBytes. Determined once.
*/
Pages transparent() noexcept;

/*
    Maps \a bytes zero-filled bytes, of any number, at an address aligned to PageBytes. The address
    is null if there is no memory. The part after the last whole 2 MiB has ordinary pages, unless it
    is nearly another 2 MiB (see mappedBytes()).
*/
Mapping map(std::size_t bytes) noexcept;

// Unmaps what map() returned for the same number of \a bytes.
void unmap(void *address, std::size_t bytes) noexcept;

/*
    Returns how many bytes of addresses map() takes for \a bytes: a multiple of PageBytes if that is
    at most an eighth more, otherwise a multiple of the system's page size. 0 if no
    object can be so large.
*/
std::size_t mappedBytes(std::size_t bytes) noexcept;

/*
    Requests transparent huge pages in [\a address, + \a bytes), which is usable memory. Returns the
    same kind as map() would.
*/
Pages advise(void *address, std::size_t bytes) noexcept;

/*
    Replaces reserved addresses that are not used yet, aligned to PageBytes and a multiple of it
    long, by reserved huge pages. Returns None if there are too few, and the addresses are
    unchanged. Returns Lost if there are too few, and the addresses may belong to another mapping by
    now; they must not be used any more.
*/
enum class Placement { Done, None, Lost };
Placement placeReserved(void *address, std::size_t bytes) noexcept;

/*
    Fetches memory for [\a address, + \a bytes), which is usable and not used by another thread
    meanwhile, so that the first writes cause no page faults. The contents do not change. One system
    call if the kernel has MADV_POPULATE_WRITE (Linux 5.14), otherwise a write to each page. Returns
    false if there is no memory.
*/
bool populate(void *address, std::size_t bytes) noexcept;

/*
    Returns how many bytes are in huge pages now in the mappings that contain [\a address, +
    \a bytes), at most \a bytes. Only memory that was touched shows whether the request was granted.
    Reads /proc/self/smaps and is therefore slow: for tests and reports. Returns 0 if that cannot be
    read.
*/
std::size_t hugeBytes(const void *address, std::size_t bytes) noexcept;

} // namespace HugeMemory

QPOOL_END_NAMESPACE

#endif // QPOOLHUGEMEMORY_H
