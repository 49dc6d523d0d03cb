// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MEMORYIMAGE_H
#define MEMORYIMAGE_H

#include "census/qpoolreadablememory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

/*
    A process's memory as a sequence of bytes: blocks one after the other, each a header and its content. The
    first block has the table of facts. A block without content is of zeroes. A block that is not there from the
    start replaces, from the n-th read on, what is there: the process changes its memory while it is read.
*/
struct ImageBlock
{
    static constexpr std::uint32_t Zeroes = ~std::uint32_t(0);
    static constexpr std::uint32_t MostZeroes = 1 << 20;

    std::uint64_t address;
    std::uint32_t bytes;
    std::uint32_t begin; // the number of the read; 0: from the start; or Zeroes

    std::uint32_t contentBytes() const { return begin == Zeroes ? 0 : (bytes + 7) / 8 * 8; }
};

class MemoryImage final : public QPool::ReadableMemory
{
public:
    MemoryImage(const std::uint8_t *data, std::size_t size)
    {
        ImageBlock block;
        for (std::size_t at = 0; size - at >= sizeof(block);) {
            std::memcpy(&block, data + at, sizeof(block));
            at += sizeof(block);
            if (block.begin == ImageBlock::Zeroes)
                block.bytes = std::min(block.bytes, ImageBlock::MostZeroes);
            else if (block.bytes > size - at)
                break;
            (block.begin == 0 || block.begin == ImageBlock::Zeroes ? m_mapped : m_changes)
                    .push_back({ block, data + at });
            at = std::min<std::size_t>(at + block.contentBytes(), size);
        }
        if (!m_mapped.empty())
            m_table = std::uintptr_t(m_mapped.front().header.address);
        std::stable_sort(m_mapped.begin(), m_mapped.end(), [](const Block &one, const Block &other) {
            return one.header.address < other.header.address;
        });
    }

    std::uintptr_t table() const { return m_table; }

    std::size_t readSome(std::uintptr_t from, void *to, std::size_t bytes) const noexcept override
    {
        ++reads;
        char *data = static_cast<char *>(to);
        std::size_t done = 0;
        while (done < bytes) {
            const std::size_t more = copyFrom(from + done, data + done, bytes - done);
            if (more == 0)
                break;
            done += more;
        }
        for (const Block &change : m_changes) {
            if (change.header.begin <= reads)
                replace(change, from, data, done);
        }
        return done;
    }

    mutable std::uint64_t reads = 0;

private:
    struct Block
    {
        ImageBlock header;
        const std::uint8_t *content;
    };

    std::size_t copyFrom(std::uint64_t from, char *to, std::size_t bytes) const
    {
        auto block = std::upper_bound(m_mapped.begin(), m_mapped.end(), from,
                                      [](std::uint64_t address, const Block &other) {
                                          return address < other.header.address;
                                      });
        if (block == m_mapped.begin())
            return 0;
        --block;
        const std::uint64_t offset = from - block->header.address;
        if (offset >= block->header.bytes)
            return 0;
        const std::size_t count = std::min<std::size_t>(bytes, block->header.bytes - offset);
        if (block->header.begin == ImageBlock::Zeroes)
            std::memset(to, 0, count);
        else
            std::memcpy(to, block->content + offset, count);
        return count;
    }

    static void replace(const Block &change, std::uint64_t from, char *data, std::size_t bytes)
    {
        for (std::uint32_t i = 0; i < change.header.bytes; ++i) {
            const std::uint64_t offset = change.header.address + i - from;
            if (offset < bytes)
                data[offset] = char(change.content[i]);
        }
    }

    std::vector<Block> m_mapped; // by address
    std::vector<Block> m_changes;
    std::uintptr_t m_table = 0;
};

#endif // MEMORYIMAGE_H
