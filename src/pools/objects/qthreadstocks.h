// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QTHREADSTOCKS_H
#define QTHREADSTOCKS_H

#include "../../allocator/os/qpoolos.h"
#include "qobjectdepot.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

/*
    The stocks of one thread, one for each category that it uses, of all caches. A thread finds them
    in a hash table of its own, by the depot's number. When it ends, it gives them back.

    Invariants
    - Only the thread itself accesses its table and the entry found last, which saves the lookup in
      the table. Both may remember stocks of caches that are gone, by numbers that no depot has any
      more.
    - lock() guards the list of stocks and each stock's owner: with it, a cache that is destroyed
      and a thread that ends agree on which of them empties a stock. Depots' locks are taken with it
      held, never the other way round; nothing is allocated and no user code runs with either held.
    - The object is not thread-local itself: in the child of a fork(), other threads' thread-local
      memory may be reused while their stocks are still in its list.
*/
class ThreadStocks
{
public:
    // Returns the calling thread's stock of a depot, or null.
    QPOOL_ALWAYS_INLINE static ObjectStock *find(std::uint64_t id) noexcept
    {
        return QPOOL_LIKELY(s_thread.last.id == id) ? s_thread.last.stock : findInTable(id);
    }

    // The same, but makes the stock if there is none. Returns null when out of memory, and where
    // stocks are disabled.
    static ObjectStock *findOrAcquire(ObjectDepot &depot) noexcept
    {
        ObjectStock *stock = find(depot.id());
        return stock || depot.stockLimit() == 0 ? stock : acquire(depot);
    }

    // With lock() held: removes the depot's stocks from all threads.
    static void forget(ObjectDepot &depot) noexcept
    {
        depot.forEachStock([](ObjectStock &stock) {
            if (stock.owner)
                stock.owner->unlink(stock);
        });
    }

    // The calling thread's object, as an owner of stocks.
    static const ThreadStocks *current() noexcept { return s_thread.stocks; }

    static Mutex &lock() noexcept { return s_lock; }

private:
    struct Entry
    {
        std::uint64_t id; // 0: empty
        ObjectStock *stock;
    };

    struct Thread
    {
        Entry last;
        ThreadStocks *stocks;
        Os::ThreadExitHook::Entry exit;
    };

    constexpr ThreadStocks() = default;
    ~ThreadStocks() = default;
    ThreadStocks(const ThreadStocks &) = delete;
    ThreadStocks &operator=(const ThreadStocks &) = delete;

    QPOOL_NEVER_INLINE static ObjectStock *findInTable(std::uint64_t id) noexcept
    {
        const ThreadStocks &self = *s_thread.stocks;
        for (std::size_t at = std::size_t(id);; ++at) {
            const Entry &entry = self.m_entries[at & self.m_mask];
            if (entry.id == id) {
                s_thread.last = entry;
                return entry.stock;
            }
            if (entry.id == 0)
                return nullptr;
        }
    }

    QPOOL_NEVER_INLINE static ObjectStock *acquire(ObjectDepot &depot) noexcept
    {
        ThreadStocks *self = prepare();
        if (!self || !self->makeRoom())
            return nullptr;
        ObjectStock *stock = nullptr;
        {
            Locker locker(s_lock);
            stock = depot.findUnowned();
            if (stock)
                self->link(*stock);
        }
        if (!stock) {
            stock = ObjectStock::tryMake(depot.stockLimit(), CachePublication::recordOf(&depot));
            if (!stock)
                return nullptr;
            Locker locker(s_lock);
            depot.add(stock);
            stock->show(depot.id());
            self->link(*stock);
        }
        self->insert(depot.id(), stock);
        return stock;
    }

    // The calling thread's object, made at its first use. Null if the end of the thread would not
    // be known.
    static ThreadStocks *prepare() noexcept
    {
        if (s_thread.stocks != &s_none)
            return s_thread.stocks;
        auto *stocks = new (std::nothrow) ThreadStocks;
        if (!stocks)
            return nullptr;
        s_thread.exit.function = &threadEnded;
        if (!Os::ThreadExitHook::arm(s_thread.exit)) {
            delete stocks;
            return nullptr;
        }
        s_thread.stocks = stocks;
        return stocks;
    }

    static void threadEnded() noexcept
    {
        ThreadStocks *self = s_thread.stocks;
        s_thread.stocks = &s_none;
        s_thread.last = s_noEntry;
        {
            Locker locker(s_lock);
            while (ObjectStock *stock = self->m_first) {
                stock->depot->empty(*stock);
                self->unlink(*stock);
            }
        }
        delete[] self->m_entries;
        delete self;
    }

    void link(ObjectStock &stock) noexcept
    {
        stock.owner = this;
        stock.previousOfThread = nullptr;
        stock.nextOfThread = m_first;
        if (m_first)
            m_first->previousOfThread = &stock;
        m_first = &stock;
    }

    void unlink(ObjectStock &stock) noexcept
    {
        ObjectStock *&before = stock.previousOfThread ? stock.previousOfThread->nextOfThread
                                                      : m_first;
        before = stock.nextOfThread;
        if (stock.nextOfThread)
            stock.nextOfThread->previousOfThread = stock.previousOfThread;
        stock.owner = nullptr;
    }

    // Makes room for one more entry. The table is at most half full, and entries of caches that are
    // gone are dropped when it is rebuilt.
    bool makeRoom() noexcept
    {
        if (m_entries != &s_noEntry && 2 * (m_used + 1) <= m_mask + 1)
            return true;
        std::size_t live = 0;
        {
            Locker locker(s_lock);
            for (const ObjectStock *stock = m_first; stock; stock = stock->nextOfThread)
                ++live;
        }
        std::size_t size = 8;
        while (size < 4 * (live + 1))
            size *= 2;
        auto *entries = new (std::nothrow) Entry[size]();
        if (!entries)
            return false;
        if (m_entries != &s_noEntry)
            delete[] m_entries;
        m_entries = entries;
        m_mask = size - 1;
        m_used = 0;
        // At most as many as a moment ago: only this thread adds any.
        Locker locker(s_lock);
        for (ObjectStock *stock = m_first; stock; stock = stock->nextOfThread)
            insert(stock->depot->id(), stock);
        return true;
    }

    void insert(std::uint64_t id, ObjectStock *stock) noexcept
    {
        std::size_t at = std::size_t(id) & m_mask;
        while (m_entries[at].id != 0)
            at = (at + 1) & m_mask;
        m_entries[at] = { id, stock };
        ++m_used;
    }

    static inline Entry s_noEntry = { 0, nullptr };
    static ThreadStocks s_none; // without an entry, so that no test for null is needed
    static inline Mutex s_lock;
    static QPOOL_THREAD_LOCAL Thread s_thread QPOOL_TLS_MODEL;

    Entry *m_entries = &s_noEntry;
    std::size_t m_mask = 0;
    std::size_t m_used = 0;
    ObjectStock *m_first = nullptr;
};

inline ThreadStocks ThreadStocks::s_none;
inline QPOOL_THREAD_LOCAL ThreadStocks::Thread ThreadStocks::s_thread QPOOL_TLS_MODEL = {
    { 0, nullptr }, &ThreadStocks::s_none, { nullptr, nullptr }
};

QPOOL_END_NAMESPACE

#endif // QTHREADSTOCKS_H
