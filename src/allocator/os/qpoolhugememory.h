// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLHUGEMEMORY_H
#define QPOOLHUGEMEMORY_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \namespace QPool::HugeMemory
    \brief Memory in pages of 2 MiB, where the system has any, and memory that is fetched at once.

    Two kinds of huge pages are to be had, on Linux alone. \e Reserved ones are set apart by the
    administrator (vm.nr_hugepages), and are certain once they are mapped. \e Transparent ones the
    kernel makes itself when a whole aligned 2 MiB of a mapping are touched and it finds that much
    memory in one piece: asking for them by madvise() is a wish. Where there are neither, the memory
    has ordinary pages. Nothing here fails for want of huge pages.

    Any thread may call any function at any time. None throws, and all keep errno.
*/
namespace HugeMemory {

inline constexpr std::size_t PageBytes = 2 * 1024 * 1024;

enum class Pages { Ordinary, Transparent, Reserved };

//! "ordinary", "transparent" or "reserved".
const char *name(Pages pages) noexcept;

struct Mapping
{
    void *address = nullptr; // aligned to PageBytes
    Pages pages = Pages::Ordinary; // what the system was asked for, and did not refuse
};

/*!
    What the system grants: Transparent, or Ordinary where transparent huge pages are off for the
    machine or the process, or have another size than PageBytes. Found out once.
*/
Pages transparent() noexcept;

/*!
    Maps \a bytes of zeros, which need not be a multiple of anything, at an address aligned to
    PageBytes. The address is null if there is no memory. Of what follows the last whole 2 MiB,
    ordinary pages are touched; unless little is missing to another 2 MiB (see mappedBytes()).
*/
Mapping map(std::size_t bytes) noexcept;

//! Unmaps what map() returned for as many \a bytes.
void unmap(void *address, std::size_t bytes) noexcept;

/*!
    How much of the addresses map() takes for \a bytes: a multiple of PageBytes if that is at most an
    eighth more, else of the system's pages. 0 if it is more than there are addresses.
*/
std::size_t mappedBytes(std::size_t bytes) noexcept;

/*!
    Asks for transparent huge pages in [\a address, + \a bytes), which is usable memory. Returns what
    map() would tell.
*/
Pages advise(void *address, std::size_t bytes) noexcept;

/*!
    Puts reserved huge pages in the place of reserved addresses that nobody uses yet, both aligned to
    PageBytes. None: there are too few, and the addresses are as they were. Lost: there are too few,
    and the addresses may be somebody else's by now; they are not to be used any more.
*/
enum class Placement { Done, None, Lost };
Placement placeReserved(void *address, std::size_t bytes) noexcept;

/*!
    Has memory fetched behind [\a address, + \a bytes), which is usable and which nobody else uses
    meanwhile: the first writes find it there. What it holds stays. One system call where the kernel
    knows MADV_POPULATE_WRITE (Linux 5.14), else a write to each page. False if there is no memory.
*/
bool populate(void *address, std::size_t bytes) noexcept;

/*!
    How many bytes of the mappings that [\a address, + \a bytes) is in are in huge pages now, at most
    \a bytes: what became of the wish, which only memory that was touched can tell. From
    /proc/self/smaps, and therefore slow: for tests and reports. 0 where it cannot be read.
*/
std::size_t hugeBytes(const void *address, std::size_t bytes) noexcept;

} // namespace HugeMemory

QPOOL_END_NAMESPACE

#endif // QPOOLHUGEMEMORY_H
