// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDCLASSES_H
#define QPOOLSHAREDCLASSES_H

#include "../allocator/qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    The sizes that are cut from slabs: steps of 16 bytes up to 1 KiB, four or five per doubling up
    to 3 KiB; larger blocks get pages of their own. A slab is one page for blocks of up to 256 bytes
    and four pages for larger ones, so that at most an eighth of it is left over. It has at most 256
    blocks.

    Each size that is a multiple of an alignment up to 1 KiB gets a class that is a multiple of it,
    too, and a slab begins at a multiple of its own length: rounding the size up to the alignment is
    all that aligning takes.
*/
struct SharedClass
{
    std::uint32_t size;
    std::uint32_t pages; // of a slab; a power of two
    std::uint32_t blocks;
    std::uint32_t words; // of 64 bits, one for each block
    std::uint32_t reciprocal; // 2^32 / size, rounded up: exact for offsets within a slab
};

namespace SharedClasses {

inline constexpr std::size_t PageBytes = 4096;
inline constexpr unsigned PageShift = 12;
inline constexpr std::uint32_t Step = 16;
inline constexpr std::uint32_t FineBytes = 1024;
inline constexpr std::uint32_t Fine = FineBytes / Step;
inline constexpr std::uint32_t Coarse[] = { 1280, 1536, 1792, 2048, 2560, 3072 };
inline constexpr std::uint32_t Count = Fine + 6;
inline constexpr std::size_t LargestBytes = 3072;
inline constexpr std::uint32_t MaxWords = 4;

struct Table
{
    SharedClass entries[Count];
};

constexpr Table makeTable()
{
    Table table {};
    for (std::uint32_t i = 0; i < Count; ++i) {
        SharedClass &entry = table.entries[i];
        entry.size = i < Fine ? (i + 1) * Step : Coarse[i - Fine];
        entry.pages = entry.size <= 256 ? 1 : 4;
        entry.blocks = entry.pages * std::uint32_t(PageBytes) / entry.size;
        entry.words = (entry.blocks + 63) / 64;
        entry.reciprocal = std::uint32_t(((std::uint64_t(1) << 32) + entry.size - 1) / entry.size);
    }
    return table;
}

inline constexpr Table table = makeTable();

QPOOL_ALWAYS_INLINE const SharedClass &at(std::uint32_t index) noexcept
{
    return table.entries[index];
}

// \a bytes is 1 to LargestBytes.
QPOOL_ALWAYS_INLINE std::uint32_t indexOf(std::size_t bytes) noexcept
{
    if (QPOOL_LIKELY(bytes <= FineBytes))
        return std::uint32_t((bytes - 1) / Step);
    std::uint32_t index = Fine;
    while (at(index).size < bytes)
        ++index;
    return index;
}

// The size to allocate for \a bytes at a multiple of \a alignment, a power of two: at least one
// byte, and a multiple of an alignment larger than that of all blocks.
QPOOL_ALWAYS_INLINE std::uint64_t requested(std::uint64_t bytes, std::uint64_t alignment) noexcept
{
    if (QPOOL_UNLIKELY(bytes == 0))
        bytes = 1;
    if (QPOOL_UNLIKELY(alignment > Step))
        bytes = (bytes + alignment - 1) & ~(alignment - 1);
    return bytes;
}

QPOOL_ALWAYS_INLINE std::uint64_t pagesFor(std::uint64_t bytes) noexcept
{
    return (bytes + PageBytes - 1) >> PageShift;
}

// Which blocks of one word of a class exist.
QPOOL_ALWAYS_INLINE std::uint64_t allOf(const SharedClass &entry, std::uint32_t word) noexcept
{
    const std::uint32_t left = entry.blocks - word * 64;
    return left >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << left) - 1;
}

} // namespace SharedClasses

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDCLASSES_H
