// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COOKIE_H
#define COOKIE_H

#include <cstddef>
#include <cstdint>
#include <cstring>

// Fills blocks so that any overlap, loss or early reuse shows: every word depends on the
// block's address, its size and a number that the test chose.
namespace Cookie {

inline std::uint64_t mixed(std::uint64_t value)
{
    value = (value ^ (value >> 31)) * 0x7FB5D329728EA185u;
    return value ^ (value >> 29);
}

inline std::uint64_t word(const void *block, std::size_t size, std::uint64_t number)
{
    return mixed(reinterpret_cast<std::uintptr_t>(block) + (std::uint64_t(size) << 48) + number);
}

inline void write(void *block, std::size_t size, std::uint64_t number)
{
    const std::uint64_t value = word(block, size, number);
    auto *bytes = static_cast<unsigned char *>(block);
    std::size_t done = 0;
    for (; done + sizeof(value) <= size; done += sizeof(value))
        std::memcpy(bytes + done, &value, sizeof(value));
    std::memcpy(bytes + done, &value, size - done);
}

inline bool check(const void *block, std::size_t size, std::uint64_t number)
{
    const std::uint64_t value = word(block, size, number);
    auto *bytes = static_cast<const unsigned char *>(block);
    std::size_t done = 0;
    for (; done + sizeof(value) <= size; done += sizeof(value)) {
        if (std::memcmp(bytes + done, &value, sizeof(value)) != 0)
            return false;
    }
    return std::memcmp(bytes + done, &value, size - done) == 0;
}

} // namespace Cookie

#endif // COOKIE_H
