// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTCACHESTATE_H
#define QOBJECTCACHESTATE_H

#include "../../allocator/os/qpoolforkhandlers.h"
#include "qthreadstocks.h"

#include <algorithm>
#include <memory>
#include <string_view>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::ObjectCacheOptions
    \brief How much an ObjectCache keeps.
*/
struct ObjectCacheOptions
{
    const char *name = ""; // for messages and views; copied. If empty, views show the type's
    // How many idle objects of a category a thread keeps, without a lock: at most 64. Half as many
    // move between a thread and the depot at once. 0: none, every object goes to the depot.
    unsigned stockLimit = 32;
    // How many idle objects a category's depot keeps. Further objects that come back are destroyed.
    std::size_t depotLimit = std::size_t(-1);
};

/*
    The part of a cache that does not depend on the type of its objects: its categories. Outlives
    the cache as long as objects of it are in use: these are destroyed when they are given back, and
    the last one deletes this.

    Invariants
    - The list of categories only grows, with ThreadStocks::lock() held.
    - m_peak only grows. Relaxed: it is a statistic on which no other data depends; it is computed
      from values read at different moments, while threads take and give back.
    - m_outstanding is the number of objects in use after close(), 0 before it. The thread that
      gives the last one back must see what all others did, so the decrement acquires and releases.
*/
class ObjectCacheState
{
public:
    // \a typeName is the objects' type; it is not copied.
    explicit ObjectCacheState(const ObjectCacheOptions &options, std::size_t objectSize,
                              std::string_view typeName)
        : m_name(options.name)
        , m_typeName(typeName)
        , m_stockLimit(options.stockLimit < ObjectStock::Capacity ? options.stockLimit
                                                                  : ObjectStock::Capacity)
        , m_depotLimit(options.depotLimit)
        , m_objectSize(objectSize)
    {
    }
    virtual ~ObjectCacheState()
    {
        for (ObjectDepot *depot = first(); depot;) {
            ObjectDepot *next = after(*depot);
            CachePublication::destroy(depot);
            depot = next;
        }
    }
    ObjectCacheState(const ObjectCacheState &) = delete;
    ObjectCacheState &operator=(const ObjectCacheState &) = delete;

    // For views, from any thread.
    const std::string &name() const noexcept { return m_name; }
    std::size_t objectSize() const noexcept { return m_objectSize; } // in bytes, with its header

    template <class Visitor>
    void forEachCategory(Visitor &&visit) const
    {
        forEachDepot([&](const ObjectDepot &depot) { visit(depot.statistics()); });
    }

    template <class Visitor>
    void forEachDepot(Visitor &&visit) const
    {
        for (ObjectDepot *depot = first(); depot; depot = after(*depot))
            visit(*depot);
    }

    // Finds the category by its name, or creates it. Throws std::bad_alloc.
    ObjectDepot &category(std::string_view name)
    {
        if (ObjectDepot *found = find(name))
            return *found;
        ObjectDepot::Pointer depot = ObjectDepot::make(*this, std::string(name), m_stockLimit,
                                                       m_depotLimit);
        Locker locker(ThreadStocks::lock());
        // Another thread may have created it meanwhile.
        if (ObjectDepot *found = find(name))
            return *found;
        depot->open(++s_lastId);
        std::atomic<ObjectDepot *> *end = &m_first;
        while (ObjectDepot *other = end->load(std::memory_order_relaxed))
            end = &other->next;
        end->store(depot.get(), std::memory_order_release);
        depot->show(first()->id(), m_name.empty() ? m_typeName : std::string_view(m_name), m_objectSize);
        return *depot.release();
    }

    // Destroys idle objects until each category has at most \a kept of them.
    void trim(std::size_t kept) noexcept
    {
        forEachDepot([&](ObjectDepot &depot) {
            for (;;) {
                ObjectBatch surplus = depot.takeSurplus(kept);
                if (surplus.isEmpty())
                    break;
                discard(depot, surplus);
            }
        });
    }

    void discard(ObjectDepot &depot, ObjectBatch &batch) noexcept
    {
        const std::size_t count = batch.count();
        while (ObjectNode *node = batch.pop())
            destroy(*node);
        depot.objectsDestroyed(count);
    }

    // Called before an object is created for \a depot, which counts it already. The depot cannot
    // use idle objects of other categories: those that exceed what the cache may hold are
    // destroyed, first of the category that has most of them.
    void makeRoom(ObjectDepot &depot) noexcept
    {
        if (&depot == first() && !after(depot))
            return;
        std::size_t held = 0, idle = 0, most = 0;
        ObjectDepot *richest = nullptr;
        forEachDepot([&](ObjectDepot &one) {
            const std::size_t ofOne = one.idle();
            held += one.held();
            idle += ofOne;
            if (&one != &depot && ofOne > most) {
                most = ofOne;
                richest = &one;
            }
        });
        const std::size_t mayHold = withReserve(notePeak(held > idle ? held - idle : 0));
        if (!richest || held <= mayHold)
            return;
        ObjectBatch surplus = richest->takeSurplus(most - (std::min)(most, held - mayHold));
        if (!surplus.isEmpty())
            discard(*richest, surplus);
    }

    // Gives the calling thread's idle objects to the depots.
    void flush() noexcept
    {
        forEachDepot([](ObjectDepot &depot) {
            if (ObjectStock *stock = ThreadStocks::find(depot.id()))
                depot.empty(*stock);
        });
    }

    // Called once, before the first category.
    void open() noexcept
    {
        ForkHandlers<ObjectCacheState>::atLatest();
        CachePublication::beginIfAsked();
        Locker locker(ThreadStocks::lock());
        m_next = s_caches;
        s_caches = this;
    }

    // Called when the cache is destroyed. Deletes this unless objects are in use.
    void close() noexcept
    {
        {
            Locker locker(ThreadStocks::lock());
            ObjectCacheState **link = &s_caches;
            while (*link != this)
                link = &(*link)->m_next;
            *link = m_next;
            forEachDepot([](ObjectDepot &depot) { ThreadStocks::forget(depot); });
        }
        trim(0);
        std::size_t out = 0;
        forEachDepot([&](ObjectDepot &depot) {
            depot.close();
            out += depot.held();
            if (hardened && depot.held() > 0) {
                Os::warn("ObjectCache \"%s\": is destroyed while %llu objects of its category \"%s\" "
                         "are in use", m_name.c_str(), static_cast<unsigned long long>(depot.held()),
                         depot.name().c_str());
            }
        });
        m_outstanding.store(out, std::memory_order_relaxed);
        if (out == 0)
            delete this;
    }

    // Takes an object that comes back after close().
    void giveLate(ObjectNode &node) noexcept
    {
        destroy(node);
        if (m_outstanding.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }

    // Calls \a visit with each cache of the process. No cache may be used meanwhile.
    template <class Visitor>
    static void forEachCache(Visitor &&visit)
    {
        Locker locker(ThreadStocks::lock());
        for (const ObjectCacheState *cache = s_caches; cache; cache = cache->m_next)
            visit(*cache);
    }

    // See publishObjectCaches().
    static bool publish() noexcept
    {
        const bool wasPublishing = CachePublication::isPublishing();
        if (!CachePublication::begin())
            return false;
        std::size_t missing = 0;
        Locker locker(ThreadStocks::lock());
        for (ObjectCacheState *cache = s_caches; cache && !wasPublishing; cache = cache->m_next)
            cache->forEachDepot([&](ObjectDepot &depot) { missing += !CachePublication::recordOf(&depot); });
        CachePublication::countMissingCategories(missing);
        return true;
    }

private:
    friend ForkHandlers<ObjectCacheState>;

    virtual void destroy(ObjectNode &node) noexcept = 0;

    ObjectDepot *first() const noexcept { return m_first.load(std::memory_order_acquire); }
    static ObjectDepot *after(const ObjectDepot &depot) noexcept
    {
        return depot.next.load(std::memory_order_acquire);
    }

    // Returns the most that were ever in use, including \a inUse. Called when an object is created,
    // because only then there may be more than ever before.
    std::size_t notePeak(std::size_t inUse) noexcept
    {
        std::size_t peak = m_peak.load(std::memory_order_relaxed);
        while (peak < inUse
               && !m_peak.compare_exchange_weak(peak, inUse, std::memory_order_relaxed)) {
        }
        return (std::max)(peak, inUse);
    }

    // An eighth more, as for a single category, plus a negligible number.
    static std::size_t withReserve(std::size_t peak) noexcept
    {
        constexpr std::size_t few = 8;
        return peak + (std::max)(peak / 8, few);
    }

    ObjectDepot *find(std::string_view name) const noexcept
    {
        ObjectDepot *depot = first();
        while (depot && depot->name() != name)
            depot = after(*depot);
        return depot;
    }

    // In the child, idle objects of threads that it does not have can be stolen as usual.
    //
    // If caches are published, the child has a copy of depots and stocks that is made before the
    // fork. Meanwhile, other threads take objects from their stocks and write to them: a copied
    // stock of theirs might name an object that has been in use since. So their idle objects are
    // moved to the depots, which are locked meanwhile, and the child takes nothing from their stocks.
    static void registerForkHandlers() noexcept
    {
        Os::aroundFork(&beforeFork, [] { CachePublication::inParent(); unlockAll(); },
                       [] { inChild(); unlockAll(); });
    }

    static void beforeFork() noexcept
    {
        lockToFork(ThreadStocks::lock());
        forEachDepotOfAll([](ObjectDepot &depot) { lockToFork(depot.lock()); });
        forEachDepotOfAll([](ObjectDepot &depot) {
            if (CachePublication::recordOf(&depot))
                depot.gather(ThreadStocks::current());
        });
        CachePublication::beforeFork();
    }

    static void inChild() noexcept
    {
        CachePublication::inChild(); // first: the locks are in that memory
        forEachDepotOfAll([](ObjectDepot &depot) {
            depot.forEachStock([](ObjectStock &stock) {
                if (stock.owner != ThreadStocks::current() && CachePublication::recordOf(&stock))
                    stock.forgetObjects();
            });
        });
    }

    static void unlockAll() noexcept
    {
        forEachDepotOfAll([](ObjectDepot &depot) { unlockAfterFork(depot.lock()); });
        unlockAfterFork(ThreadStocks::lock());
    }

    template <class Visitor>
    static void forEachDepotOfAll(Visitor &&visit)
    {
        for (const ObjectCacheState *cache = s_caches; cache; cache = cache->m_next)
            cache->forEachDepot(visit);
    }

    static inline ObjectCacheState *s_caches = nullptr; // with ThreadStocks::lock() held
    static inline std::uint64_t s_lastId = 0; // the same

    const std::string m_name;
    const std::string_view m_typeName;
    const unsigned m_stockLimit;
    const std::size_t m_depotLimit;
    const std::size_t m_objectSize;
    std::atomic<ObjectDepot *> m_first { nullptr };
    ObjectCacheState *m_next = nullptr;
    std::atomic<std::size_t> m_peak { 0 };
    std::atomic<std::size_t> m_outstanding { 0 };
};

/*!
    Publishes the object caches of the process that are created from now on, for \c{./qpool top} and
    the live view, as \c{QT_POOL_ALLOCATOR=monitor} in the environment does for all. Call it before
    the first cache is created: for caches that exist already, views show only their number. Any
    thread may call it, any number of times. Returns false if the system refuses shared memory; a
    line on stderr reports this once, and the caches work all the same. Returns false in a child of
    a fork() of a process that published.
*/
inline bool publishObjectCaches() noexcept
{
    return ObjectCacheState::publish();
}

QPOOL_END_NAMESPACE

#endif // QOBJECTCACHESTATE_H
