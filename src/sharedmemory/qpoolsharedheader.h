// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDHEADER_H
#define QPOOLSHAREDHEADER_H

#include "os/qpoolthreadidentity.h"
#include "qpoolsharedabi.h"
#include "qpoolsharedcell.h"
#include "qpoolsharedclasses.h"
#include "qpoolsharederror.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

// The contents of a segment:
//
//   SharedHeader   its identity, the lock, statistics, the lists' heads, the roots
//   SharedPage[]   a record for each page of the segment, including those of the metadata
//   words          the buddy allocator's bits: a tree for each order, and one bit for each page
//   pages          the memory that is handed out
//
// It contains no pointers, but indices of pages and offsets. A page's index counts from the
// segment's beginning; zero, which is the header's page, means none.

//! How threads wait for the lock of a segment; chosen when it is created.
enum class SharedLockKind : std::uint32_t {
    None, //!< there is no lock: one thread at a time uses the segment, which the program ensures
    Spin, //!< a waiter spins for a while, then sleeps for short times
    Futex, //!< a waiter sleeps; waking makes a system call only if a thread sleeps
    Robust //!< the system's own: a robust mutex of POSIX threads
};

/*
    A record for one page. What is not derived, and so what a survivor relies on:
      - state of the first page of a run or slab, and zero in all other records
      - freeBlocks of the first page of a slab
    next, prev and freeCount follow from these, and are rebuilt from them.
*/
struct alignas(64) SharedPage
{
    // The two highest bits define what begins here, the others how many pages or which class.
    static constexpr std::uint32_t Run = std::uint32_t(1) << 30;
    static constexpr std::uint32_t Slab = std::uint32_t(2) << 30;
    static constexpr std::uint32_t KindMask = std::uint32_t(3) << 30;

    SharedCell<std::uint32_t> state;
    SharedCell<std::uint32_t> next; // slabs of the class that have a free block
    SharedCell<std::uint32_t> prev;
    SharedCell<std::uint32_t> freeCount;
    SharedCell<std::uint64_t> freeBlocks[SharedClasses::MaxWords]; // of a slab, one bit each
    std::uint64_t unused[2];
};
static_assert(sizeof(SharedPage) == 64);

// The bits of one order: which blocks of 2^order pages are free. Above the words of bits are words
// that mark the non-zero words below, up to a single word, so that the first free block is found by
// reading one word per level.
struct SharedOrder
{
    static constexpr std::uint32_t MaxLevels = 4; // there are at most 64^4 pages
    std::uint32_t bits;
    std::uint32_t levels; // zero: the segment is too small for this order
    std::uint32_t offsets[MaxLevels]; // in words, from the start of the words
};

struct SharedLockState
{
    // The holder, by ThreadIdentity; with Flag, others may be asleep. Zero: not held.
    std::atomic<std::uint64_t> word;
    // A sleeper has been woken and has not checked yet.
    std::atomic<std::uint32_t> waking;
    std::uint32_t unused;
    // The system's mutex, if the lock is of that kind.
    alignas(16) unsigned char mutex[64];
};

struct SharedRoot
{
    static constexpr std::size_t NameBytes = 64;
    enum State : std::uint32_t { Free, Making, Ready, Destroying };

    SharedCell<std::uint32_t> state;
    std::uint32_t unused;
    SharedCell<std::uint64_t> offset; // of the object, from the segment's beginning
    SharedCell<std::uint64_t> bytes;
    SharedCell<std::uint64_t> alignment;
    SharedCell<std::uint64_t> type;
    char name[NameBytes]; // null-terminated
    std::uint64_t unusedWords[3];
};
static_assert(sizeof(SharedRoot) == 128);

struct SharedHeader
{
    static constexpr char Magic[8] = { 'Q', 'P', 'o', 'o', 'l', 'S', 'h', 'm' };
    static constexpr std::uint32_t Version = 1;
    static constexpr std::uint32_t MaxOrders = 25;
    static constexpr std::uint32_t RootCount = 64; // as many as a word has bits
    static constexpr std::size_t MinBytes = 256 * 1024;
    static constexpr std::uint64_t MaxBytes = std::uint64_t(64) << 30;

    // The members up to the next comment do not change once the segment has a name.
    char magic[8];
    std::uint32_t version;
    std::uint32_t headerBytes;
    char abi[SharedAbi::TextBytes];
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint64_t surroundings; // ThreadIdentity's
    std::uint64_t creator; // its process
    std::uint32_t lockKind;
    std::uint32_t pageCount;
    std::uint32_t metaPages; // pages of the metadata
    std::uint32_t orderCount;
    std::uint64_t wordsOffset; // of the buddy allocator's, from the segment's beginning
    SharedOrder orders[MaxOrders];
    std::uint32_t freeMap; // in words, from the start of the words: a bit for each free page
    std::uint32_t unused;

    // Written by every thread that waits.
    alignas(64) SharedLockState lock;

    // From here to the end, only the lock's holder writes. Non-zero: the holder's change in
    // progress, see SharedIntent.
    alignas(64) SharedCell<std::uint64_t> intent;
    SharedCell<std::uint64_t> making; // roots being made or destroyed, one bit each
    SharedCell<std::uint32_t> depth; // how often the holder has locked it
    enum State : std::uint32_t { Ready = 1, Broken = 2 };
    SharedCell<std::uint32_t> state;
    SharedCell<std::uint32_t> freeOrders; // a bit for each order of which there is a block
    SharedCell<std::uint64_t> freePages;
    SharedCell<std::uint64_t> usedBytes; // as handed out: in whole blocks
    SharedCell<std::uint64_t> usedBlocks;
    SharedCell<std::uint64_t> allocatedInLock; // blocks since the lock was taken; zero while not held

    alignas(64) SharedCell<std::uint64_t> deaths; // of threads that held the lock
    SharedCell<std::uint64_t> repairs;
    SharedCell<std::uint64_t> possiblyLost; // blocks, at most
    SharedCell<std::uint64_t> badFrees;

    SharedCell<std::uint32_t> heads[SharedClasses::Count]; // slabs with a free block
    SharedRoot roots[RootCount];

    char *base() noexcept { return reinterpret_cast<char *>(this); }
    inline SharedPage *pages() noexcept;
    SharedCell<std::uint64_t> *words() noexcept
    {
        return reinterpret_cast<SharedCell<std::uint64_t> *>(base() + wordsOffset);
    }
};
static_assert(std::is_standard_layout_v<SharedHeader>);

inline SharedPage *SharedHeader::pages() noexcept
{
    static_assert(sizeof(SharedHeader) % alignof(SharedPage) == 0);
    return reinterpret_cast<SharedPage *>(base() + sizeof(SharedHeader));
}

/*
    The change that the lock's holder is making: one block, whose state it may or may not have
    changed, and which is to be free after a survivor has repaired the metadata. So an allocation is
    undone, and a free is completed. Written before the first store of a change, and reset to zero
    after the last.
*/
struct SharedIntent
{
    enum Kind : std::uint32_t { Nothing, Block, Pages };

    Kind kind;
    std::uint32_t page; // the first of the slab, or of the run
    std::uint32_t block; // within the slab

    static constexpr std::uint64_t ofBlock(std::uint32_t page, std::uint32_t block) noexcept
    {
        return std::uint64_t(Block) << 60 | std::uint64_t(page) << 16 | block;
    }
    static constexpr std::uint64_t ofPages(std::uint32_t page) noexcept
    {
        return std::uint64_t(Pages) << 60 | std::uint64_t(page) << 16;
    }
    static constexpr SharedIntent read(std::uint64_t value) noexcept
    {
        return { Kind(value >> 60), std::uint32_t(value >> 16), std::uint32_t(value & 0xFFFF) };
    }
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDHEADER_H
