// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_HANDOVER_H
#define BENCH_HANDOVER_H

#include <array>
#include <atomic>
#include <thread>

namespace Bench {

// A ring from one producer to one consumer. Its own cost is the same in every row, and is shown as
// the row's limit. Therefore it has no lock, and each side reads the other's index only when the
// last value it saw is used up.
template <int Batch>
class Handover
{
    // The same number of blocks in flight for every batch, so that memory in use is the same.
    static constexpr unsigned Slots = Batch >= 256 ? 16 : 4096;
    using Blocks = std::array<void *, Batch>;

public:
    void put(const Blocks &blocks)
    {
        const unsigned at = m_put.load(std::memory_order_relaxed);
        while (at - m_seenTaken == Slots) {
            m_seenTaken = m_taken.load(std::memory_order_acquire);
            if (at - m_seenTaken == Slots)
                std::this_thread::yield();
        }
        m_slots[at % Slots] = blocks;
        m_put.store(at + 1, std::memory_order_release);
    }

    void take(Blocks &blocks)
    {
        const unsigned at = m_taken.load(std::memory_order_relaxed);
        while (at == m_seenPut) {
            m_seenPut = m_put.load(std::memory_order_acquire);
            if (at == m_seenPut)
                std::this_thread::yield();
        }
        blocks = m_slots[at % Slots];
        m_taken.store(at + 1, std::memory_order_release);
    }

private:
    alignas(64) std::atomic<unsigned> m_put { 0 };
    unsigned m_seenTaken = 0; // the producer's
    alignas(64) std::atomic<unsigned> m_taken { 0 };
    unsigned m_seenPut = 0; // the consumer's
    alignas(64) std::array<Blocks, Slots> m_slots;
};

} // namespace Bench

#endif // BENCH_HANDOVER_H
