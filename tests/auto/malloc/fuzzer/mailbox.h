// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MAILBOX_H
#define MAILBOX_H

#include "fuzzedblock.h"

#include <mutex>
#include <utility>
#include <vector>

// Where threads leave blocks for each other.
class Mailbox
{
public:
    void put(const FuzzedBlock &block)
    {
        std::lock_guard<std::mutex> lock(m_mutex);
        m_blocks.push_back(block);
    }

    std::vector<FuzzedBlock> takeAll()
    {
        std::lock_guard<std::mutex> lock(m_mutex);
        return std::exchange(m_blocks, { });
    }

private:
    std::mutex m_mutex;
    std::vector<FuzzedBlock> m_blocks;
};

inline constexpr unsigned Threads = 4;
inline Mailbox mailboxes[Threads];

#endif // MAILBOX_H
