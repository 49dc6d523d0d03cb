// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTCACHE_H
#define QOBJECTCACHE_H

#include "qcachedobject.h"

#include <memory>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::ObjectCache
    \brief Keeps constructed objects that are expensive to create.

    take() returns an object that was given back before, or otherwise a new one. The destructor of
    the handle gives the object back:

    \code
    QPool::ObjectCache<Parser> parsers;
    auto parser = parsers.take();
    parser->parse(text);
    \endcode

    Each thread has a stock of idle objects, which it uses without a lock; batches of objects move
    between the stocks and a depot shared by all. A thread that finds both empty takes from another
    thread's stock before it creates an object. The objects that exist are at most 8/7 of those that
    were in use at the same time, plus one, plus one for each thread that gives back at the same
    moment. When a thread ends, its stock goes to the depot.

    category() gives a part of the program its own depot and stocks: objects that served the network
    are used for the network again, with the buffers that grew there. Other categories cannot use
    idle objects of a category. To limit their number, a category that creates an object has an idle
    object of another category destroyed, if the cache would otherwise hold more than nine eighths
    of what was ever in use in all categories together, plus eight objects.

    \a Reset returns an object to its initial state when it is given back, and decides what it
    keeps, such as the capacity of its vectors (see clearWithin()). It may return bool: if it
    returns false, or throws, the object is destroyed and not kept. By default, it calls reset() or
    clear() of the object. \a Create returns a new object, by value, though T need not be movable;
    or it takes a void pointer to memory, constructs the object there and returns it. All threads
    may call both at the same time; they are called as const, and never with a lock held.
    Constructor and destructor of \a T may be private, with ObjectAccess as a friend.

    Objects are in pools of the model MultiThreaded, aligned as T requires, each with a header of
    four words. Objects larger than a page come from the global operator new.

    Threads: any thread may call any member, and may give back an object that another thread took.
    As long as its stock lasts, a thread takes and gives back without a lock, with one atomic
    read-modify-write per pair. The constructor and the destructor are not thread-safe.

    Memory: when out of memory, take() calls the program's new-handler as operator new does, then
    throws std::bad_alloc; without exceptions, it prints the size on stderr and aborts. tryTake()
    returns null. Without memory for a stock, a thread uses the depot directly.

    Lifetime: objects that are in use when the cache is destroyed stay valid; objects that are given
    back afterwards are destroyed at once. No thread may take or give back while the destructor
    runs. A hardened build reports the categories and how many of their objects are missing.

    A hardened build reports an object that is given back twice, unless it was taken again
    meanwhile, and aborts. In other builds, this is undefined behaviour.

    fork(): the child may go on using a cache. It loses objects that other threads had in use, but
    not those in their stocks.

    The stocks and the depot are the magazines of Bonwick and Adams (USENIX 2001); keeping objects
    in their initial state is Bonwick's idea (USENIX 1994).
*/
template <class T, class Reset = ResetObject, class Create = MakeObject<T>>
class ObjectCache
{
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && !std::is_const_v<T>
                          && !std::is_volatile_v<T>,
                  "a cache is of single objects, neither const nor volatile");

    using Object = CachedObject<T, Reset, Create>;
    using State = typename Object::State;

public:
    // The deleter of an object that was taken; the handle is as large as a pointer.
    struct GiveBack
    {
        void operator()(T *object) const noexcept { giveBack(object); }
    };
    using Handle = std::unique_ptr<T, GiveBack>;

    /*!
        \class QPool::ObjectCache::Category
        \brief A part of the program with its own objects.

        Copies refer to the same category. Valid as long as the cache.
    */
    class Category
    {
    public:
        //! Like ObjectCache::take().
        [[nodiscard]] Handle take() { return Handle(ObjectCache::take(*m_depot)); }
        //! Like ObjectCache::tryTake().
        [[nodiscard]] Handle tryTake() { return Handle(ObjectCache::tryTake(*m_depot)); }

        /*!
            Gives the calling thread's stock to the depot: for a thread that leaves this part of the
            program.
        */
        void flush() noexcept
        {
            if (ObjectStock *stock = ThreadStocks::find(m_depot->id()))
                m_depot->empty(*stock);
        }

        ObjectCacheStatistics statistics() const noexcept { return m_depot->statistics(); }

    private:
        friend ObjectCache;
        explicit Category(ObjectDepot &depot) noexcept : m_depot(&depot) { }
        ObjectDepot *m_depot;
    };

    /*!
        Makes an empty cache with \a options. \a reset returns objects to their initial state,
        \a create creates them.
    */
    explicit ObjectCache(const ObjectCacheOptions &options = {}, Reset reset = Reset(),
                         Create create = Create())
        : m_state(open(options, std::move(reset), std::move(create)))
        , m_depot(m_state->category({}))
    {
    }

    /*!
        Destroys all idle objects.
    */
    ~ObjectCache() = default;

    ObjectCache(const ObjectCache &) = delete;
    ObjectCache &operator=(const ObjectCache &) = delete;

    /*!
        Returns an object in its initial state, of the category without a name. Throws what
        \c Create throws, and std::bad_alloc when out of memory.
    */
    [[nodiscard]] Handle take() { return Handle(take(m_depot)); }

    /*!
        Like take(), but returns null when out of memory.
    */
    [[nodiscard]] Handle tryTake() { return Handle(tryTake(m_depot)); }

    /*!
        Gives back \a object, which was released from a handle, to the category from which it was
        taken. Any thread may call it. Null is ignored.
    */
    static void giveBack(T *object) noexcept
    {
        if (QPOOL_UNLIKELY(!object))
            return;
        ObjectNode &node = Object::nodeOf(*object);
        ObjectDepot *depot = node.home;
        if constexpr (hardened) {
            if (QPOOL_UNLIKELY(!depot))
                Os::die("ObjectCache: %p is given back, but is not in use", static_cast<void *>(object));
            node.home = nullptr;
        }
        auto &state = static_cast<State &>(depot->state());
        if (QPOOL_UNLIKELY(depot->id() == 0))
            state.giveLate(node);
        else if (QPOOL_UNLIKELY(!Object::isReset(state, *object)))
            discard(*depot, node);
        else if (ObjectStock *stock = ThreadStocks::find(depot->id());
                 QPOOL_UNLIKELY(!stock) || QPOOL_UNLIKELY(!stock->tryGive(&node)))
            giveSlow(*depot, node);
    }

    /*!
        Returns the category called \a name, and creates it at its first use. Keep the result:
        finding it takes time in proportion to the number of categories, which stay until the cache
        is destroyed. Throws std::bad_alloc. The empty name is the cache's own category.
    */
    [[nodiscard]] Category category(std::string_view name)
    {
        return Category(m_state->category(name));
    }

    /*!
        Gives the calling thread's stocks, of all categories, to the depots: for a thread that will
        not need any objects for long. This happens automatically when a thread ends.
    */
    void flush() noexcept { m_state->flush(); }

    /*!
        Destroys idle objects of all threads until each category has at most \a kept of them.
    */
    void trim(std::size_t kept = 0) noexcept { m_state->trim(kept); }

    /*!
        Calls \a visit with the ObjectCacheStatistics of each category, the one without a name
        first. Any thread may call it at any time.
    */
    template <class Visitor>
    void forEachCategory(Visitor &&visit) const { m_state->forEachCategory(visit); }

    //! Returns the sum over all categories.
    ObjectCacheStatistics statistics() const noexcept
    {
        ObjectCacheStatistics sum;
        forEachCategory([&](const ObjectCacheStatistics &of) { sum += of; });
        return sum;
    }

private:
    // If the constructor throws, no state is left.
    struct Closer
    {
        void operator()(State *state) const noexcept { state->close(); }
    };
    using StatePointer = std::unique_ptr<State, Closer>;

    static StatePointer open(const ObjectCacheOptions &options, Reset &&reset, Create &&create)
    {
        StatePointer state(new State(options, std::move(reset), std::move(create)));
        state->open();
        return state;
    }

    QPOOL_ALWAYS_INLINE static T *take(ObjectDepot &depot)
    {
        if (T *object = takeAtHand(depot); QPOOL_LIKELY(object))
            return object;
        return takeSlow(depot, true);
    }

    QPOOL_ALWAYS_INLINE static T *tryTake(ObjectDepot &depot)
    {
        if (T *object = takeAtHand(depot); QPOOL_LIKELY(object))
            return object;
        return takeSlow(depot, false);
    }

    QPOOL_ALWAYS_INLINE static T *takeAtHand(ObjectDepot &depot) noexcept
    {
        ObjectStock *stock = ThreadStocks::find(depot.id());
        ObjectNode *node = QPOOL_LIKELY(stock) ? stock->tryTake() : nullptr;
        return QPOOL_LIKELY(node) ? handOut(depot, *node) : nullptr;
    }

    QPOOL_ALWAYS_INLINE static T *handOut(ObjectDepot &depot, ObjectNode &node) noexcept
    {
        if constexpr (hardened)
            node.home = &depot;
        return Object::objectOf(node);
    }

    QPOOL_NEVER_INLINE static T *takeSlow(ObjectDepot &depot, bool mayThrow)
    {
        ObjectNode *node = depot.take(ThreadStocks::findOrAcquire(depot));
        return node ? handOut(depot, *node) : Object::make(depot, mayThrow);
    }

    QPOOL_NEVER_INLINE static void giveSlow(ObjectDepot &depot, ObjectNode &node) noexcept
    {
        ObjectBatch surplus = depot.give(ThreadStocks::findOrAcquire(depot), &node);
        if (!surplus.isEmpty())
            depot.state().discard(depot, surplus);
    }

    QPOOL_NEVER_INLINE static void discard(ObjectDepot &depot, ObjectNode &node) noexcept
    {
        ObjectBatch batch;
        batch.push(&node);
        depot.state().discard(depot, batch);
    }

    StatePointer m_state;
    ObjectDepot &m_depot;
};

QPOOL_END_NAMESPACE

#endif // QOBJECTCACHE_H
