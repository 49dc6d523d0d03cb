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
    The idle objects of one category that one thread has at hand. Only the thread puts objects in and
    takes them out, the last first, without a lock; a thread that holds the depot's lock may steal
    from it.

    Invariants
    - A slot is null or points to an idle object, which belongs to whoever exchanges it for null. Only
      the owner stores anything but null, and only into a slot that it knows to be null, so a plain
      store will do. That store releases, and a thief's exchange acquires: the thief sees the object
      as it was given back. The owner needs neither, for what it finds is what it stored itself.
    - Slots at m_top and above are null. m_top is written by the owner alone; below it thieves leave
      gaps. Relaxed: others count the objects below it, for statistics, and as a hint of where stealing
      pays.
    - m_left, how many objects the owner took out, is written by it alone. Relaxed: a statistic.
    - The owner may be replaced, by a thread that finds m_owner null, with the lock of ThreadStocks
      held. That lock orders what both do with m_top and the counters.

    The model is tests/auto/model/objectstock.pml.
*/
class alignas(CacheLineSize) ObjectStock
{
public:
    static constexpr unsigned Capacity = 64;
    using Counter = std::atomic<std::size_t>;

    explicit ObjectStock(unsigned limit) noexcept : m_limit(limit) { }

    // For a depot whose record is \a category, null if it has none; or null when memory is out.
    static ObjectStock *tryMake(unsigned limit, CacheRecord *category) noexcept
    {
        void *place = category ? CachePublication::allocate<ObjectStock>() : nullptr;
        if (place)
            return new (place) ObjectStock(limit);
        if (category)
            category->stocksMissing.fetch_add(1, std::memory_order_relaxed);
        return new (std::nothrow) ObjectStock(limit);
    }

    // Once, to readers outside of the process, if it was made where they see it.
    void show(std::uint64_t category) noexcept
    {
        CacheRecord *record = CachePublication::recordOf(this);
        if (!record)
            return;
        record->category = category;
        record->leftAt = record->offsetOf(&m_left);
        record->movedOutAt = record->offsetOf(&movedOut);
        record->topAt = record->offsetOf(&m_top);
        record->slotsAt = record->offsetOf(m_slots);
        record->slotCount = Capacity;
        CachePublication::show(*record, CacheRecord::Stock);
    }

    ObjectStock(const ObjectStock &) = delete;
    ObjectStock &operator=(const ObjectStock &) = delete;

    // The owner. Null when there is none.
    QPOOL_ALWAYS_INLINE ObjectNode *tryTake() noexcept
    {
        for (unsigned top = this->top(); top > 0;) {
            ObjectNode *node = takeFrom(m_slots[--top]);
            setTop(top);
            if (QPOOL_LIKELY(node)) {
                add(m_left, 1);
                return node;
            }
        }
        return nullptr;
    }

    // False when it is full.
    QPOOL_ALWAYS_INLINE bool tryGive(ObjectNode *node) noexcept
    {
        const unsigned top = this->top();
        if (QPOOL_UNLIKELY(top >= m_limit))
            return false;
        put(top, node);
        return true;
    }

    // The owner, with the depot's lock: nobody steals meanwhile.

    // Puts in all of a \a batch of at most half of the limit; the stock is empty.
    void fill(ObjectBatch &batch) noexcept
    {
        while (ObjectNode *node = batch.pop())
            put(top(), node);
    }

    // Keeps the \a kept objects that came last and returns the others.
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
        add(m_left, others);
        movedOut += others;
        return oldest;
    }

    // Any thread, with the depot's lock: up to \a wanted of those that came first.
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

    // In the child of a fork(), of a thread that it does not have: what was in it is nobody's.
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
    std::size_t left() const noexcept { return value(m_left); }

    // Written by the owner with the depot's lock held: what of left() was on its way to the depot.
    Counter movedOut { 0 };

    ObjectStock *next = nullptr; // of the depot's, constant once it is in the list

    // See ThreadStocks, whose lock guards them.
    ThreadStocks *owner = nullptr;
    ObjectDepot *depot = nullptr;
    ObjectStock *nextOfThread = nullptr;
    ObjectStock *previousOfThread = nullptr;

private:
    using Slot = std::atomic<ObjectNode *>;

    QPOOL_ALWAYS_INLINE static ObjectNode *takeFrom(Slot &slot) noexcept
    {
        // Gaps are passed without a write.
        return slot.load(std::memory_order_relaxed)
                ? slot.exchange(nullptr, std::memory_order_relaxed) : nullptr;
    }

    // At the top.
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

    // Has one writer at a time.
    QPOOL_ALWAYS_INLINE static void add(Counter &counter, std::size_t count) noexcept
    {
        counter.store(value(counter) + count, std::memory_order_relaxed);
    }
    static std::size_t value(const Counter &counter) noexcept
    {
        return counter.load(std::memory_order_relaxed);
    }

    // What others write is not in the line that the owner writes with each operation.
    alignas(CacheLineSize) std::atomic<unsigned> m_top { 0 };
    const unsigned m_limit;
    Counter m_left { 0 };
    alignas(CacheLineSize) Slot m_slots[Capacity] = {};
};

QPOOL_END_NAMESPACE

#endif // QOBJECTSTOCK_H
