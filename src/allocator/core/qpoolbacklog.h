// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLBACKLOG_H
#define QPOOLBACKLOG_H

#include "qpoolremotebatch.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

/*
    The chunks that other threads freed, on their way back to the arena they came from: two
    lock-free lists that many push to and one takes whole, one of batches, and one of single
    chunks, or a few, for which a batch is not worth while, or not to be had. (R. K. Treiber,
    "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986; taking the whole list
    instead of single nodes is what makes it safe from ABA.)

    Invariants
    - m_head is null or the first of a chain of free chunks that ends in null, m_batches of one of
      batches. A chunk is in at most one chain or batch, a batch in at most one chain. Nobody
      but the caller of takeAll() or takeBatches() reads a link behind the head: a pusher only
      compares the head's value with what it wrote into its own chain's last link.
    - push() releases, takeAll() and takeBatches() acquire: all that the pushing thread did to the
      chunks before (the program's last writes, our links, the batch) happens before all that
      the owner does to them. A push onto others' pushes keeps theirs visible: a
      read-modify-write continues the release sequence.
    - ABA: between a pusher's load of the head and its compare-exchange the list may be taken,
      and the very same chunk or batch be pushed again. The pusher's link to it is right then,
      too.
    - m_pushed and m_taken only count. They are never used to decide about memory.
*/
class Backlog
{
public:
    constexpr Backlog() = default;

    // Any thread. A chain of \a count chunks, linked from \a first to \a last.
    void push(FreeChunk *first, FreeChunk *last, std::uint32_t count) noexcept
    {
        push(m_head, first, count, [last](FreeChunk *head) { Link::set(last, head); });
    }

    // Any thread. What is in it is the owner's from here on, and it too.
    void push(RemoteBatch *batch) noexcept
    {
        push(m_batches, batch, batch->count, [batch](RemoteBatch *head) { batch->next = head; });
    }

    // The owner. The chain, or null.
    FreeChunk *takeAll() noexcept { return takeAll(m_head); }
    RemoteBatch *takeBatches() noexcept { return takeAll(m_batches); }

    bool isEmpty() const noexcept
    {
        return !m_head.load(std::memory_order_relaxed)
                && !m_batches.load(std::memory_order_relaxed);
    }

    // The owner, of what it took.
    void countTaken(std::uint32_t count) noexcept
    {
        m_taken.store(m_taken.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    }

    std::size_t pushed() const noexcept { return m_pushed.load(std::memory_order_relaxed); }
    std::size_t pending() const noexcept
    {
        const std::size_t taken = m_taken.load(std::memory_order_relaxed);
        // By their difference, for on 32 bits both wrap. While threads are at it, it may be below zero.
        const std::size_t difference = pushed() - taken;
        return std::ptrdiff_t(difference) > 0 ? difference : 0;
    }

    // For those who look from outside of the process.
    const std::atomic<std::size_t> &pushedCounter() const noexcept { return m_pushed; }
    const std::atomic<std::size_t> &takenCounter() const noexcept { return m_taken; }

private:
    friend struct Inspection;

    template <class Node, class Link>
    void push(std::atomic<Node *> &list, Node *first, std::uint32_t count, Link &&link) noexcept
    {
        // Counted before the chunks can be taken: m_taken never runs ahead of m_pushed.
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
        // A look before the exchange: most often there is nothing, and a plain load leaves
        // the cache line shared.
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
