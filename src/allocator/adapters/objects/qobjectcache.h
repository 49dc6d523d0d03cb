// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTCACHE_H
#define QOBJECTCACHE_H

#include "qcachedobject.h"

#include <memory>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::ObjectCache
    \brief Keeps constructed objects that are expensive to make.

    take() returns an object that was given back before, or else a new one. Giving back is what
    the handle's destructor does:

    \code
    QPool::ObjectCache<Parser> parsers;
    auto parser = parsers.take();
    parser->parse(text);
    \endcode

    Each thread has a stock of idle objects at hand, without a lock; batches of them move between the
    stocks and a depot for all. A thread that finds both empty takes from another's stock before it
    makes one: objects that exist are at most 8/7 of those that were in use at the same time, and one,
    whatever the number of threads. When a thread ends, its stock goes to the depot.

    category() gives a part of the program a depot and stocks of its own: objects that served the
    network come back to the network, with the buffers that grew there. Idle objects of one category
    are no use to another. So that they do not add up, a category that makes an object has one of them
    destroyed, if the cache would else hold more than nine eighths of what was ever in use in all
    categories together, and eight objects more than that.

    \a Reset puts an object back into its first state, when it is given back, and decides what it
    keeps, as the capacity of its vectors (see clearWithin()). It may return bool: an object of which
    it says false, or in which it throws, is destroyed and not kept. By default it calls reset() or
    clear() of the object. \a Create returns a new object, by value, though T need not be movable; or
    it takes a void pointer to memory for one, constructs it there and returns it. Both are called by
    all threads at once, const, and never with a lock held. Constructor and destructor of \a T may be
    private, with ObjectAccess as a friend.

    Objects stand in pools of the model MultiThreaded, aligned as T asks for, each with a header of four
    words. Those larger than a page come from the global operator new.

    Threads: all members may be called by any thread, and an object be given back by another than the
    one that took it. A thread that takes and gives back does so without a lock, and with one atomic
    read-modify-write a pair, as long as its stock lasts. The constructor and the destructor are for
    one thread, as always.

    Memory: when it is out, take() throws std::bad_alloc, after the program's new-handler was asked as
    operator new does; without exceptions it names the size on stderr and aborts. tryTake() returns null.
    Without memory for a stock a thread does without: it uses the depot.

    Lifetime: objects that are out when the cache is destroyed stay as they are; what is given back
    afterwards is destroyed at once. Nobody may take or give back while the destructor runs. A
    hardened build names the categories and how many objects they are short of.

    A hardened build reports an object that is given back twice, unless it was taken again meanwhile, and
    aborts. In other builds it is undefined behaviour.

    fork(): the child may go on using a cache. Objects that other threads had in use are lost to it;
    what was in their stocks is not.

    The stocks and the depot are the magazines of Bonwick and Adams (USENIX 2001), and keeping objects
    in their first state is Bonwick's (USENIX 1994).
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
    // Of an object that was taken: as large as a pointer.
    struct GiveBack
    {
        void operator()(T *object) const noexcept { giveBack(object); }
    };
    using Handle = std::unique_ptr<T, GiveBack>;

    /*!
        \class QPool::ObjectCache::Category
        \brief A part of the program, and the objects that it uses.

        Copies are of the same category. Valid as long as the cache.
    */
    class Category
    {
    public:
        //! Like ObjectCache::take().
        [[nodiscard]] Handle take() { return Handle(ObjectCache::take(*m_depot)); }
        //! Like ObjectCache::tryTake().
        [[nodiscard]] Handle tryTake() { return Handle(ObjectCache::tryTake(*m_depot)); }

        /*!
            Gives what the calling thread has at hand to the depot: for one that leaves this part
            of the program.
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
        Makes an empty cache with \a options. \a reset puts objects back into their first state, \a create
        makes them.
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
        Returns an object in its first state, of the category without a name. Throws what \c Create
        throws, and std::bad_alloc when memory is out.
    */
    [[nodiscard]] Handle take() { return Handle(take(m_depot)); }

    /*!
        The same, but returns null when memory is out.
    */
    [[nodiscard]] Handle tryTake() { return Handle(tryTake(m_depot)); }

    /*!
        Gives back \a object, which was released from a handle, to the category that it was taken
        from, whichever thread calls. Null is left alone.
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
        The category called \a name, which is made at its first use. To be kept: finding it takes time
        in proportion to the number of categories, which stay until the cache is destroyed. Throws
        std::bad_alloc. The empty name is the cache's own category.
    */
    [[nodiscard]] Category category(std::string_view name)
    {
        return Category(m_state->category(name));
    }

    /*!
        Gives what the calling thread has at hand, of all categories, to the depots: for one that will
        not need any for long. Happens by itself when a thread ends.
    */
    void flush() noexcept { m_state->flush(); }

    /*!
        Destroys idle objects, of all threads, until each category has at most \a kept of them.
    */
    void trim(std::size_t kept = 0) noexcept { m_state->trim(kept); }

    /*!
        Calls \a visit with the ObjectCacheStatistics of each category, the one without a name first.
        Any thread may ask at any time.
    */
    template <class Visitor>
    void forEachCategory(Visitor &&visit) const { m_state->forEachCategory(visit); }

    //! The sum over all categories.
    ObjectCacheStatistics statistics() const noexcept
    {
        ObjectCacheStatistics sum;
        forEachCategory([&](const ObjectCacheStatistics &of) { sum += of; });
        return sum;
    }

private:
    // A constructor that throws leaves none behind.
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
