// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLBACKLOG_H
#define QPOOLBACKLOG_H

#include "qpoolchunk.h"
#include "qpooltuning.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    Free chunks on their way to their arena, as an array of pointers. Neither the thread that frees
    them nor the owner that loads them into its magazine touches a chunk. No cache line of a chunk
    is therefore transferred, and the owner does not wait for one line to learn the next address, as
    it would along a list.

    Invariants
    - A batch belongs to the same remote cache for ever. One thread at a time may access it: the
      remote cache's thread until it pushes the batch to a backlog, then the arena's owner until it
      calls returnToRing(). Only that thread accesses the fields other than isAway.
    - The remote cache sets isAway when the batch leaves the ring. The owner clears it once, as its
      last access, with release; the remote cache reads it with acquire. All reads of the batch
      therefore happen before it is filled again.
    - A batch that is away is in one slot of its remote cache, in one backlog, or kept by one bin.
      If the arena's owner never drains its backlog, or did not survive a fork, the batch never
      comes back; only its own remote cache loses it. While MostAway batches have been sent and are
      not back, no further batch is sent: the chunks go as a list. The unsent batch was never
      pushed, so the same remote cache still holds it and fills it again.
*/
struct alignas(CacheLineSize) RemoteBatch
{
    static constexpr std::uint32_t Capacity = Tuning::RemoteChunks;

    RemoteBatch *next = nullptr; // in a backlog, then in the owner's bin
    RemoteBatch *nextInRing = nullptr; // only the remote cache accesses it, at any time
    std::uint32_t count = 0;
    std::atomic<bool> isAway { false };
    FreeChunk *chunks[Capacity] = {};

    void returnToRing() noexcept { isAway.store(false, std::memory_order_release); }
};

/*
    The chunks that other threads freed, until the arena takes them in. Two lock-free lists, to
    which many threads push and which one thread takes whole: one of batches, and one of single
    chunks and short chains, for which a batch is not worthwhile or not available. (R. K. Treiber,
    "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986. Taking the whole list instead
    of single nodes makes it safe from ABA.)

    Invariants
    - m_head is null or the first of a chain of free chunks that ends in null; m_batches is the same
      for batches. A chunk is in at most one chain or batch, a batch in at most one chain. Only the
      caller of takeAll() or takeBatches() reads a link behind the head: a pusher only compares the
      head with the value that it wrote into the last link of its own chain.
    - push() releases, takeAll() and takeBatches() acquire: everything that the pushing thread did
      to the chunks before (the program's last writes, our links, the batch) happens before
      everything that the owner does to them. A push on top of other pushes keeps those visible,
      because a read-modify-write continues the release sequence.
    - ABA: between a pusher's load of the head and its compare-exchange, the list may be taken and
      the same chunk or batch pushed again. The pusher's link to it is then correct as well.
    - m_pushed and m_taken only count. They never decide about memory.
*/
class Backlog
{
public:
    constexpr Backlog() = default;

    // Any thread. Pushes a chain of \a count chunks, linked from \a first to \a last.
    void push(FreeChunk *first, FreeChunk *last, std::uint32_t count) noexcept
    {
        push(m_head, first, count, [last](FreeChunk *head) { Link::set(last, head); });
    }

    // Any thread. The batch and the chunks in it belong to the owner from here on.
    void push(RemoteBatch *batch) noexcept
    {
        push(m_batches, batch, batch->count, [batch](RemoteBatch *head) { batch->next = head; });
    }

    // The owner only. Returns the chain, or null.
    FreeChunk *takeAll() noexcept { return takeAll(m_head); }
    RemoteBatch *takeBatches() noexcept { return takeAll(m_batches); }

    bool isEmpty() const noexcept
    {
        return !m_head.load(std::memory_order_relaxed)
                && !m_batches.load(std::memory_order_relaxed);
    }

    // The owner, for the chunks it took.
    void countTaken(std::uint32_t count) noexcept
    {
        m_taken.store(m_taken.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    }

    std::size_t pushed() const noexcept { return m_pushed.load(std::memory_order_relaxed); }
    std::size_t pending() const noexcept
    {
        const std::size_t taken = m_taken.load(std::memory_order_relaxed);
        // Uses the difference, because both wrap on 32 bits. It may be negative while threads push
        // or take.
        const std::size_t difference = pushed() - taken;
        return std::ptrdiff_t(difference) > 0 ? difference : 0;
    }

    // For readers outside of the process.
    const std::atomic<std::size_t> &pushedCounter() const noexcept { return m_pushed; }
    const std::atomic<std::size_t> &takenCounter() const noexcept { return m_taken; }

private:
    friend struct Inspection;

    template <class Node, class Link>
    void push(std::atomic<Node *> &list, Node *first, std::uint32_t count, Link &&link) noexcept
    {
        // Count before the chunks can be taken, so that m_taken never exceeds m_pushed.
        m_pushed.fetch_add(count, std::memory_order_relaxed);
        Node *head = list.load(std::memory_order_relaxed);
        do {
            link(head);
        } while (!list.compare_exchange_weak(head, first, std::memory_order_release,
                                             std::memory_order_relaxed));
    }

    template <class Node>
    static Node *takeAll(std::atomic<Node *> &list) noexcept
    {
        // Load before the exchange: usually the list is empty, and a plain load leaves the cache
        // line shared.
        if (!list.load(std::memory_order_relaxed))
            return nullptr;
        return list.exchange(nullptr, std::memory_order_acquire);
    }

    std::atomic<FreeChunk *> m_head { nullptr };
    std::atomic<RemoteBatch *> m_batches { nullptr };
    std::atomic<std::size_t> m_pushed { 0 };
    std::atomic<std::size_t> m_taken { 0 };
};

QPOOL_END_NAMESPACE

#endif // QPOOLBACKLOG_H
