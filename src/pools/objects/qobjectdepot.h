// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTDEPOT_H
#define QOBJECTDEPOT_H

#include "../../allocator/os/qpoollock.h"
#include "../../allocator/os/qpoolmutex.h"
#include "qobjectstatistics.h"
#include "qobjectstock.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

QPOOL_BEGIN_NAMESPACE

class ObjectCacheState;

/*
    One category of a cache: batches of idle objects, protected by a lock, and the stocks of the
    threads that use it.

    If a thread finds both its stock and the depot empty, it steals from another stock, unless less
    than an eighth of all objects is idle; then it creates an object. So there are never more
    objects than eight sevenths of those that were in use at the same time, plus one, plus those
    that it does not find, because they are being given back: one for each thread that does so. And
    the last idle objects do not move back and forth between threads that all need some.

    Invariants
    - No user code runs and nothing is allocated with the lock held.
    - m_batches, the links of what it holds, and the counters are written with the lock held, except
      m_held and m_discarded, which are changed by one read-modify-write each. Relaxed: without the
      lock they are read only for statistics.
    - m_stocks is a list that only grows. A thread that adds to it holds the lock and releases; a
      thread that walks it acquires, and needs no lock.
    - m_id is unique to this depot for ever, so the id that a thread remembers never leads to
      another depot; 0 once the cache is destroyed. The program orders that with its use of the
      cache.
*/
class ObjectDepot
{
public:
    ObjectDepot(ObjectCacheState &state, std::string name, unsigned stockLimit,
                std::size_t idleLimit)
        : m_state(state)
        , m_name(std::move(name))
        , m_stockLimit(stockLimit)
        , m_batchSize(stockLimit < 2 ? 1 : stockLimit / 2)
        , m_idleLimit(idleLimit)
    {
    }

    ~ObjectDepot()
    {
        ObjectStock *stock = m_stocks.load(std::memory_order_relaxed);
        while (stock)
            CachePublication::destroy(std::exchange(stock, stock->next));
    }

    ObjectDepot(const ObjectDepot &) = delete;
    ObjectDepot &operator=(const ObjectDepot &) = delete;

    using Pointer = std::unique_ptr<ObjectDepot, CachePublication::Destroy>;

    // The parameters are the constructor's. Throws std::bad_alloc.
    static Pointer make(ObjectCacheState &state, std::string name, unsigned stockLimit,
                        std::size_t idleLimit)
    {
        if (void *place = CachePublication::allocate<ObjectDepot>())
            return Pointer(new (place) ObjectDepot(state, std::move(name), stockLimit, idleLimit));
        if (CachePublication::isPublishing())
            CachePublication::countMissingCategories(1);
        return Pointer(new ObjectDepot(state, std::move(name), stockLimit, idleLimit));
    }

    // Shows the depot, once it is open, to readers outside of the process, if it is in memory that
    // they see.
    void show(std::uint64_t cache, std::string_view cacheName, std::size_t objectSize) noexcept
    {
        CacheRecord *record = CachePublication::recordOf(this);
        if (!record)
            return;
        record->stocksMissing.store(0, std::memory_order_relaxed);
        record->category = m_id;
        record->cache = cache;
        record->objectSize = objectSize;
        record->heldAt = record->offsetOf(&m_held);
        record->idleAt = record->offsetOf(&m_idle);
        record->missesAt = record->offsetOf(&m_misses);
        record->depotTakesAt = record->offsetOf(&m_depotTakes);
        record->directTakesAt = record->offsetOf(&m_directTakes);
        record->stealsAt = record->offsetOf(&m_steals);
        record->discardedAt = record->offsetOf(&m_discarded);
        CachePublication::copyText(record->cacheName, sizeof(record->cacheName), cacheName);
        CachePublication::copyText(record->categoryName, sizeof(record->categoryName), m_name);
        CachePublication::show(*record, CacheRecord::Category);
    }

    QPOOL_ALWAYS_INLINE ObjectCacheState &state() const noexcept { return m_state; }
    QPOOL_ALWAYS_INLINE std::uint64_t id() const noexcept { return m_id; }
    const std::string &name() const noexcept { return m_name; }
    unsigned stockLimit() const noexcept { return m_stockLimit; }

    // Returns an idle object for a thread whose \a stock is empty, or that has none. Returns null
    // if one is to be created, which is already counted as existing; call objectNotMade() if that
    // fails.
    ObjectNode *take(ObjectStock *stock) noexcept
    {
        Locker locker(m_lock);
        ObjectBatch batch;
        if (m_batches) {
            batch = ObjectBatch(std::exchange(m_batches, m_batches->nextBatch));
            subtract(m_idle, batch.count());
        } else if (const std::size_t idle = idleInStocks(); idle > held() / 8) {
            steal(batch);
            add(m_steals, batch.isEmpty() ? 0 : 1);
        }
        if (batch.isEmpty()) {
            m_held.fetch_add(1, std::memory_order_relaxed);
            add(m_misses, 1);
            return nullptr;
        }
        add(m_depotTakes, 1);
        if (stock) {
            stock->fill(batch);
            return stock->tryTake();
        }
        ObjectNode *node = batch.pop();
        add(m_directTakes, 1);
        keep(std::move(batch));
        return node;
    }

    void objectNotMade() noexcept
    {
        m_held.fetch_sub(1, std::memory_order_relaxed);
        Locker locker(m_lock);
        subtract(m_misses, 1);
    }

    // Takes an object back from a thread whose \a stock is full, or that has none. Returns the
    // objects to be destroyed.
    ObjectBatch give(ObjectStock *stock, ObjectNode *node) noexcept
    {
        Locker locker(m_lock);
        ObjectBatch batch;
        if (stock) {
            batch = stock->takeOldest(unsigned(m_stockLimit - m_batchSize));
            stock->tryGive(node);
        } else {
            batch = single(node);
        }
        if (m_idle.load(std::memory_order_relaxed) + batch.count() > m_idleLimit)
            return batch;
        keep(std::move(batch));
        return ObjectBatch();
    }

    // The stock's owner only: takes all that the stock holds. May exceed the depot's limit.
    void empty(ObjectStock &stock) noexcept
    {
        Locker locker(m_lock);
        keep(stock.takeOldest(0));
    }

    // Takes out idle objects until at most \a kept are left, including those of all threads, and
    // returns some of them, to be destroyed; returns none when done.
    ObjectBatch takeSurplus(std::size_t kept) noexcept
    {
        Locker locker(m_lock);
        ObjectBatch surplus;
        const std::size_t there = idle();
        if (there <= kept)
            return surplus;
        const std::size_t wanted = there - kept;
        if (!m_batches) {
            stealUpTo(surplus, wanted);
            return surplus;
        }
        ObjectBatch batch(std::exchange(m_batches, m_batches->nextBatch));
        subtract(m_idle, batch.count());
        while (surplus.count() < wanted && !batch.isEmpty())
            surplus.push(batch.pop());
        keep(std::move(batch));
        return surplus;
    }

    // Called after \a count objects were destroyed.
    void objectsDestroyed(std::size_t count) noexcept
    {
        m_discarded.fetch_add(count, std::memory_order_relaxed);
        m_held.fetch_sub(count, std::memory_order_relaxed);
    }

    // With m_lock held: moves the objects in the stocks of threads other than \a thread to the
    // depot.
    void gather(const ThreadStocks *thread) noexcept
    {
        forEachStock([&](ObjectStock &stock) {
            ObjectBatch batch;
            if (stock.owner != thread)
                stock.steal(batch, ObjectStock::Capacity);
            keep(std::move(batch));
        });
    }

    std::size_t held() const noexcept { return m_held.load(std::memory_order_relaxed); }
    std::size_t idle() const noexcept { return value(m_idle) + idleInStocks(); }

    // The lock of ThreadStocks is held, for all of the following. Returns a stock without a thread,
    // or null.
    ObjectStock *findUnowned() const noexcept
    {
        ObjectStock *stock = m_stocks.load(std::memory_order_acquire);
        while (stock && stock->owner)
            stock = stock->next;
        return stock;
    }

    void add(ObjectStock *stock) noexcept
    {
        stock->depot = this;
        Locker locker(m_lock);
        stock->next = m_stocks.load(std::memory_order_relaxed);
        m_stocks.store(stock, std::memory_order_release);
    }

    template <class Visitor>
    void forEachStock(Visitor &&visit) const
    {
        ObjectStock *stock = m_stocks.load(std::memory_order_acquire);
        for (; stock; stock = stock->next)
            visit(*stock);
    }

    void open(std::uint64_t id) noexcept { m_id = id; }
    void close() noexcept
    {
        m_id = 0;
        if (CacheRecord *record = CachePublication::recordOf(this))
            CachePublication::hide(*record);
    }
    Mutex &lock() noexcept { return m_lock; }

    // Any thread.
    ObjectCacheStatistics statistics() const noexcept
    {
        ObjectCacheStatistics statistics;
        statistics.category = m_name.c_str();
        std::size_t fromStocks = value(m_directTakes);
        forEachStock([&](const ObjectStock &stock) {
            fromStocks += stock.taken();
            statistics.idleInStocks += stock.count();
            ++statistics.stocks;
        });
        statistics.idleInDepot = value(m_idle);
        statistics.held = held();
        const std::size_t idle = statistics.idle();
        statistics.inUse = statistics.held > idle ? statistics.held - idle : 0;
        statistics.hits = fromStocks;
        statistics.misses = value(m_misses);
        statistics.depotTakes = value(m_depotTakes);
        statistics.steals = value(m_steals);
        statistics.discarded = value(m_discarded);
        return statistics;
    }

    // In the cache's list, which only grows: a thread that adds to it releases, a thread that walks
    // it acquires.
    std::atomic<ObjectDepot *> next { nullptr };

private:
    using Counter = ObjectStock::Counter;

    static ObjectBatch single(ObjectNode *node) noexcept
    {
        ObjectBatch batch;
        batch.push(node);
        return batch;
    }

    // Joins small pieces, so that a batch is worth taking the lock once.
    void keep(ObjectBatch batch) noexcept
    {
        if (batch.isEmpty())
            return;
        add(m_idle, batch.count());
        if (m_batches && batch.knowsLast() && m_batches->count + batch.count() <= m_batchSize)
            m_batches = batch.releaseBefore(m_batches);
        else
            m_batches = batch.release(m_batches);
    }

    std::size_t idleInStocks() const noexcept
    {
        std::size_t idle = 0;
        forEachStock([&](const ObjectStock &stock) { idle += stock.count(); });
        return idle;
    }

    // Steals half of what the thread with most idle objects has.
    void steal(ObjectBatch &batch) noexcept
    {
        ObjectStock *richest = nullptr;
        std::size_t most = 0;
        forEachStock([&](ObjectStock &stock) {
            if (const std::size_t count = stock.count(); count > most) {
                most = count;
                richest = &stock;
            }
        });
        if (richest)
            richest->steal(batch, (most + 1) / 2 < m_batchSize ? (most + 1) / 2 : m_batchSize);
        // The owner may have taken them meanwhile.
        if (batch.isEmpty())
            stealUpTo(batch, 1);
    }

    void stealUpTo(ObjectBatch &batch, std::size_t wanted) noexcept
    {
        forEachStock([&](ObjectStock &stock) {
            if (batch.count() < wanted)
                stock.steal(batch, wanted - batch.count());
        });
    }

    static void add(Counter &counter, std::size_t count) noexcept
    {
        counter.store(value(counter) + count, std::memory_order_relaxed);
    }
    static void subtract(Counter &counter, std::size_t count) noexcept
    {
        counter.store(value(counter) - count, std::memory_order_relaxed);
    }
    static std::size_t value(const Counter &counter) noexcept
    {
        return counter.load(std::memory_order_relaxed);
    }

    ObjectCacheState &m_state;
    const std::string m_name;
    std::uint64_t m_id = 0;
    const unsigned m_stockLimit;
    const std::size_t m_batchSize;
    const std::size_t m_idleLimit;
    std::atomic<ObjectStock *> m_stocks { nullptr };

    alignas(CacheLineSize) Mutex m_lock;
    ObjectNode *m_batches = nullptr; // the first nodes of batches
    Counter m_idle { 0 };
    Counter m_held { 0 };
    Counter m_misses { 0 };
    Counter m_depotTakes { 0 };
    Counter m_directTakes { 0 }; // of those, by threads without a stock
    Counter m_steals { 0 };
    Counter m_discarded { 0 };
};

QPOOL_END_NAMESPACE

#endif // QOBJECTDEPOT_H
