// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREADABLEMEMORY_H
#define QPOOLREADABLEMEMORY_H

#include <cstddef>
#include <cstdint>

namespace QPool {

// Memory that is read by address, and copied: that of a process, or its image in a test. Any address may be
// asked for. Two reads of the same address may differ, so what was checked is used, and not read again.
class ReadableMemory
{
public:
    // The number of bytes that could be read from the start of the range: all, or fewer if the rest is not
    // mapped.
    virtual std::size_t readSome(std::uintptr_t from, void *to, std::size_t bytes) const noexcept = 0;

    bool read(std::uintptr_t from, void *to, std::size_t bytes) const noexcept
    {
        return readSome(from, to, bytes) == bytes;
    }
    template <class Value>
    bool read(std::uintptr_t from, Value *value) const noexcept
    {
        return read(from, value, sizeof(Value));
    }

protected:
    ~ReadableMemory() = default;
};

} // namespace QPool

#endif // QPOOLREADABLEMEMORY_H
