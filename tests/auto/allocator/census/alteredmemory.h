// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ALTEREDMEMORY_H
#define ALTEREDMEMORY_H

#include "census/qpoolprocessmemory.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

// The memory of this process, except where a test says otherwise: so it seems forged, or to change while it
// is read, and nothing breaks but the reader. Counts what is read.
class AlteredMemory final : public QPool::ReadableMemory
{
public:
    // What was read from that address on, in place.
    using Change = std::function<void(std::uintptr_t from, char *data, std::size_t bytes)>;

    template <class Value>
    void set(const void *place, const Value &value)
    {
        const char *bytes = reinterpret_cast<const char *>(&value);
        m_bytes[reinterpret_cast<std::uintptr_t>(place)].assign(bytes, bytes + sizeof(value));
    }
    void setChange(Change change) { m_change = std::move(change); }

    std::size_t readSome(std::uintptr_t from, void *to, std::size_t bytes) const noexcept override
    {
        ++reads;
        char *data = static_cast<char *>(to);
        const std::size_t done = m_memory.readSome(from, to, bytes);
        bytesRead += done;
        for (const auto &[place, value] : m_bytes) {
            for (std::size_t i = 0; i < value.size(); ++i) {
                if (place + i - from < done)
                    data[place + i - from] = value[i];
            }
        }
        if (m_change)
            m_change(from, data, done);
        return done;
    }

    mutable std::uint64_t reads = 0;
    mutable std::uint64_t bytesRead = 0;

private:
    QPool::ProcessMemory m_memory { 0 };
    std::map<std::uintptr_t, std::vector<char>> m_bytes;
    Change m_change;
};

#endif // ALTEREDMEMORY_H
