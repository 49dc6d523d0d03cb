// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTSTOCK_H
#define QOBJECTSTOCK_H

#include "qobjectbatch.h"
#include "qpoolcachepublication.h"

#include <atomic>

QPOOL_BEGIN_NAMESPACE

class ThreadStocks;

/*
    The idle objects of one category that one thread keeps. Only this thread puts objects in and
    takes them out, last in, first out, without a lock; a thread that holds the depot's lock may
    steal from it.

    Invariants
    - A slot is null or points to an idle object, which belongs to the thread that exchanges it for
      null. Only the owner stores anything but null, and only into a slot that it knows to be null,
      so a plain store suffices. That store releases, and a thief's exchange acquires: the thief
      sees the object as it was given back. The owner needs neither, because it finds only what it
      stored itself.
    - Slots at m_top and above are null. Only the owner writes m_top; thieves leave gaps below it.
      Relaxed: other threads count the objects below it for statistics, and as a hint where stealing
      is worthwhile.
    - m_taken, the number of objects that tryTake() returned, is written only by the owner. Relaxed:
      a statistic. It is one counter, because readers do not stop the owner: a difference of two
      would be wrong by all that happens between the two loads.
    - A thread that finds m_owner null may become the owner, with the lock of ThreadStocks held.
      That lock orders the accesses of both owners to m_top and the counters.

    The model is tests/auto/model/objectstock.pml.
*/
class alignas(CacheLineSize) ObjectStock
{
public:
    static constexpr unsigned Capacity = 64;
    using Counter = std::atomic<std::size_t>;

    explicit ObjectStock(unsigned limit) noexcept : m_limit(limit) { }

    // For a depot with the record \a category, or null if it has none. Returns null when out of
    // memory.
    static ObjectStock *tryMake(unsigned limit, CacheRecord *category) noexcept
    {
        void *place = category ? CachePublication::allocate<ObjectStock>() : nullptr;
        if (place)
            return new (place) ObjectStock(limit);
        if (category)
            category->stocksMissing.fetch_add(1, std::memory_order_relaxed);
        return new (std::nothrow) ObjectStock(limit);
    }

    // Shows the stock, once, to readers outside of the process, if it is in memory that they see.
    void show(std::uint64_t category) noexcept
    {
        CacheRecord *record = CachePublication::recordOf(this);
        if (!record)
            return;
        record->category = category;
        record->takenAt = record->offsetOf(&m_taken);
        record->topAt = record->offsetOf(&m_top);
        record->slotsAt = record->offsetOf(m_slots);
        record->slotCount = Capacity;
        CachePublication::show(*record, CacheRecord::Stock);
    }

    ObjectStock(const ObjectStock &) = delete;
    ObjectStock &operator=(const ObjectStock &) = delete;

    // The owner only. Returns null if there is none.
    QPOOL_ALWAYS_INLINE ObjectNode *tryTake() noexcept
    {
        for (unsigned top = this->top(); top > 0;) {
            ObjectNode *node = takeFrom(m_slots[--top]);
            setTop(top);
            if (QPOOL_LIKELY(node)) {
                add(m_taken, 1);
                return node;
            }
        }
        return nullptr;
    }

    // Returns false if the stock is full.
    QPOOL_ALWAYS_INLINE bool tryGive(ObjectNode *node) noexcept
    {
        const unsigned top = this->top();
        if (QPOOL_UNLIKELY(top >= m_limit))
            return false;
        put(top, node);
        return true;
    }

    // The owner only, with the depot's lock: no thread steals meanwhile.

    // Puts in all of \a batch, which is at most half of the limit; the stock is empty.
    void fill(ObjectBatch &batch) noexcept
    {
        while (ObjectNode *node = batch.pop())
            put(top(), node);
    }

    // Keeps the \a kept objects that came last, and returns the others.
    ObjectBatch takeOldest(unsigned kept) noexcept
    {
        ObjectNode *inside[Capacity];
        unsigned count = 0;
        for (unsigned i = 0; i < top(); ++i) {
            if (ObjectNode *node = m_slots[i].exchange(nullptr, std::memory_order_relaxed))
                inside[count++] = node;
        }
        setTop(0);
        ObjectBatch oldest;
        const unsigned others = count > kept ? count - kept : 0;
        for (unsigned i = 0; i < others; ++i)
            oldest.push(inside[i]);
        for (unsigned i = others; i < count; ++i)
            put(top(), inside[i]);
        return oldest;
    }

    // Any thread, with the depot's lock: takes up to \a wanted of the objects that came first.
    void steal(ObjectBatch &batch, std::size_t wanted) noexcept
    {
        for (unsigned i = 0; i < m_limit && wanted > 0; ++i) {
            if (!m_slots[i].load(std::memory_order_relaxed))
                continue;
            if (ObjectNode *node = m_slots[i].exchange(nullptr, std::memory_order_acquire)) {
                batch.push(node);
                --wanted;
            }
        }
    }

    // In the child of a fork(), for a thread that it does not have: the stock's objects belong to
    // no one.
    void forgetObjects() noexcept
    {
        for (Slot &slot : m_slots)
            slot.store(nullptr, std::memory_order_relaxed);
        setTop(0);
    }

    // Any thread.
    std::size_t count() const noexcept
    {
        std::size_t inside = 0;
        for (unsigned i = 0; i < top(); ++i)
            inside += m_slots[i].load(std::memory_order_relaxed) != nullptr;
        return inside;
    }
    std::size_t taken() const noexcept { return value(m_taken); }

    ObjectStock *next = nullptr; // in the depot's list; constant once it is there

    // See ThreadStocks, whose lock guards these.
    ThreadStocks *owner = nullptr;
    ObjectDepot *depot = nullptr;
    ObjectStock *nextOfThread = nullptr;
    ObjectStock *previousOfThread = nullptr;

private:
    using Slot = std::atomic<ObjectNode *>;

    QPOOL_ALWAYS_INLINE static ObjectNode *takeFrom(Slot &slot) noexcept
    {
        // Passes gaps without a write.
        return slot.load(std::memory_order_relaxed)
                ? slot.exchange(nullptr, std::memory_order_relaxed) : nullptr;
    }

    // \a top is m_top.
    QPOOL_ALWAYS_INLINE void put(unsigned top, ObjectNode *node) noexcept
    {
        m_slots[top].store(node, std::memory_order_release);
        setTop(top + 1);
    }

    QPOOL_ALWAYS_INLINE unsigned top() const noexcept
    {
        return m_top.load(std::memory_order_relaxed);
    }
    QPOOL_ALWAYS_INLINE void setTop(unsigned top) noexcept
    {
        m_top.store(top, std::memory_order_relaxed);
    }

    // \a counter has one writer at a time.
    QPOOL_ALWAYS_INLINE static void add(Counter &counter, std::size_t count) noexcept
    {
        counter.store(value(counter) + count, std::memory_order_relaxed);
    }
    static std::size_t value(const Counter &counter) noexcept
    {
        return counter.load(std::memory_order_relaxed);
    }

    // Starts a cache line, which the owner writes with each operation and which contains nothing that
    // other threads write.
    alignas(CacheLineSize) std::atomic<unsigned> m_top { 0 };
    const unsigned m_limit;
    Counter m_taken { 0 };
    alignas(CacheLineSize) Slot m_slots[Capacity] = {};
};

QPOOL_END_NAMESPACE

#endif // QOBJECTSTOCK_H
