// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MAILBOX_H
#define MAILBOX_H

#include <mutex>
#include <utility>
#include <vector>

// A place where threads leave blocks for each other.
template <class Block>
class Mailbox
{
public:
    void put(const Block &block)
    {
        std::lock_guard<std::mutex> lock(m_mutex);
        m_blocks.push_back(block);
    }

    std::vector<Block> takeAll()
    {
        std::lock_guard<std::mutex> lock(m_mutex);
        return std::exchange(m_blocks, { });
    }

private:
    std::mutex m_mutex;
    std::vector<Block> m_blocks;
};

#endif // MAILBOX_H
