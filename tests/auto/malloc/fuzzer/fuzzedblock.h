// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FUZZEDBLOCK_H
#define FUZZEDBLOCK_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

// The function that frees a block.
enum class Origin : unsigned char { Malloc, New, NewArray, AlignedNew, AlignedNewArray };

// What the model knows of a block in use. The content depends only on the block's number, so that
// it is also known after realloc() has moved the block.
struct FuzzedBlock
{
    char *place = nullptr;
    std::size_t size = 0;
    std::size_t alignment = 16;
    std::uint64_t number = 0;
    Origin origin = Origin::Malloc;

    void fill() const
    {
        const std::uint64_t word = contentWord();
        std::size_t done = 0;
        for (; done + sizeof(word) <= size; done += sizeof(word))
            std::memcpy(place + done, &word, sizeof(word));
        std::memcpy(place + done, &word, size - done);
    }

    // For the first \a bytes.
    bool isIntact(std::size_t bytes) const
    {
        const std::uint64_t word = contentWord();
        std::size_t done = 0;
        for (; done + sizeof(word) <= bytes; done += sizeof(word)) {
            if (std::memcmp(place + done, &word, sizeof(word)) != 0)
                return false;
        }
        return std::memcmp(place + done, &word, bytes - done) == 0;
    }

    bool isIntact() const { return isIntact(size); }
    bool isZero() const
    {
        for (std::size_t i = 0; i < size; ++i) {
            if (place[i] != 0)
                return false;
        }
        return true;
    }

private:
    std::uint64_t contentWord() const
    {
        const std::uint64_t value = (number + 1) * 0x9E3779B97F4A7C15u;
        return value ^ (value >> 32);
    }
};

#endif // FUZZEDBLOCK_H
