// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QSPSCQUEUE_H
#define QSPSCQUEUE_H

#include "qpoolspscring.h"

#include <optional>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::SpscQueue
    \brief A queue from one thread to another, without locking or waiting.

    \a T may be movable only, and over-aligned. Its destructor must not throw; an exception of its
    constructors or assignments passes to the caller, and leaves the queue unchanged.

    Threads: one thread, the producer, may call the functions that push, and one, the consumer,
    those that pop. Any thread may call close(), isClosed(), size(), isEmpty() and capacity(). The
    two threads may change, as long as the calls of one end are ordered among themselves. When the
    consumer has popped an element, it sees what the producer wrote before pushing it; when the
    producer reuses the room of an element, it sees what the consumer did with the element before.
    No other thread may call during construction and destruction; elements that are still inside are
    destroyed.

    Every call ends after a bounded number of steps, whatever the other thread does (wait-free).
    Only the constructor makes system calls or allocates.

    Memory: the ring is allocated once, by operator new, for the requested number of elements,
    rounded up to a power of two, and two cache lines for every 512 bytes of them, at least two. It
    is aligned to \c CacheLineSize, or more if \a T is, and shares no cache line with other data.
    The queue itself has 3 cache lines.

    Caching the other end's index is the idea of Rutgers's MCRingBuffer (Lee, Bu and Chandranmenon,
    IPDPS 2010); the ring is Lamport's (TOPLAS 1983). That the ends learn of each other in the line
    of the slots that they work on, instead of in a line for all, is from FastForward (Giacomoni,
    Moseley and Vachharajani, PPoPP 2008), where each slot tells of itself.
*/
template <class T>
class SpscQueue
{
public:
    using value_type = T;

    /*!
        Makes a queue for \a capacity elements, rounded up to a power of two, at least 1. Without
        memory, or if the elements could not be addressed, throws like operator new and new T[]
        (std::bad_alloc, std::bad_array_new_length); if exceptions are off, the program ends.
    */
    explicit SpscQueue(std::size_t capacity) : m_ring(capacity) { }

    /*!
        The same, but does not throw: without memory, capacity() is 0, and no push succeeds.
    */
    SpscQueue(std::size_t capacity, const std::nothrow_t &tag) noexcept : m_ring(capacity, tag) { }

    SpscQueue(const SpscQueue &) = delete;
    SpscQueue &operator=(const SpscQueue &) = delete;

    /*!
        Producer: constructs an element from \a arguments at the end. Returns false, and does not
        touch \a arguments, if there is no room or the queue is closed.
    */
    template <class... Arguments>
    QPOOL_ALWAYS_INLINE bool tryEmplace(Arguments &&...arguments) noexcept(
            std::is_nothrow_constructible_v<T, Arguments &&...>)
    {
        const std::size_t at = m_ring.pushIndex();
        if (QPOOL_UNLIKELY(m_ring.roomAt(at) == 0 || m_ring.isClosed()))
            return false;
        ::new (static_cast<void *>(m_ring.slot(at))) T(std::forward<Arguments>(arguments)...);
        m_ring.publishPushed(at);
        return true;
    }

    /*!
        Producer: pushes \a value, and moves from it only if the call returns true.
    */
    QPOOL_ALWAYS_INLINE bool tryPush(T &&value) { return tryEmplace(std::move(value)); }
    QPOOL_ALWAYS_INLINE bool tryPush(const T &value) { return tryEmplace(value); }

    /*!
        Producer: pushes as many of the \a count elements from \a first on as there is room for, and
        returns their number; 0 if the queue is closed. They become visible to the consumer
        together. For elements that can only be moved, pass std::move_iterators. If a constructor
        throws, the elements before it are pushed.
    */
    template <class Iterator>
    std::size_t tryPushBatch(Iterator first, std::size_t count)
    {
        const std::size_t at = m_ring.pushIndex();
        count = (std::min)(count, m_ring.roomAt(at, count));
        if (QPOOL_UNLIKELY(count == 0 || m_ring.isClosed()))
            return 0;
        m_ring.makeElements(at, first, count);
        return count;
    }

    /*!
        Producer: returns how many elements can certainly be pushed, up to \a wanted; there may be
        room for more.
    */
    std::size_t room(std::size_t wanted = 1) { return m_ring.roomAt(m_ring.pushIndex(), wanted); }

    /*!
        Consumer: returns the first element, for use in place; null if there is none.
    */
    QPOOL_ALWAYS_INLINE T *front() noexcept
    {
        const std::size_t at = m_ring.popIndex();
        return QPOOL_LIKELY(m_ring.elementsAt(at) != 0) ? m_ring.slot(at) : nullptr;
    }

    /*!
        Consumer: destroys the first element. There must be one: front() has returned it.
    */
    QPOOL_ALWAYS_INLINE void pop() noexcept
    {
        popAt(m_ring.popIndex());
    }

    /*!
        Consumer: moves the first element to \a value and pops it, or returns false if there is
        none. If the assignment throws, the element stays in the state in which the assignment left
        it.
    */
    QPOOL_ALWAYS_INLINE bool tryPop(T &value) noexcept(std::is_nothrow_move_assignable_v<T>)
    {
        const std::size_t at = m_ring.popIndex();
        if (QPOOL_UNLIKELY(m_ring.elementsAt(at) == 0))
            return false;
        value = std::move(*m_ring.slot(at));
        popAt(at);
        return true;
    }

    /*!
        Consumer: pops and returns the first element, or returns nothing if there is none.
    */
    std::optional<T> tryPop() noexcept(std::is_nothrow_move_constructible_v<T>)
    {
        const std::size_t at = m_ring.popIndex();
        if (QPOOL_UNLIKELY(m_ring.elementsAt(at) == 0))
            return std::nullopt;
        std::optional<T> value(std::move(*m_ring.slot(at)));
        popAt(at);
        return value;
    }

    /*!
        Consumer: moves at most \a most elements to \a to, one after the other, pops them and
        returns their number. The producer sees their room together. If an assignment throws, the
        elements before are popped and that one stays.
    */
    template <class OutputIterator>
    std::size_t tryPopBatch(OutputIterator to, std::size_t most)
    {
        const std::size_t at = m_ring.popIndex();
        const std::size_t count = (std::min)(most, m_ring.elementsAt(at, most));
        if (count != 0)
            m_ring.takeElements(at, to, count);
        return count;
    }

    /*!
        Closes the queue: no push succeeds any more, except one that another thread has begun.
        Elements that are inside can still be popped.
    */
    void close() noexcept { m_ring.close(); }

    /*!
        Returns whether close() was called.
    */
    bool isClosed() const noexcept { return m_ring.isClosed(); }

    /*!
        Consumer: returns whether the queue is closed and empty. If the producer itself closed it,
        no more elements will come; if another thread did, a push that had begun may still succeed.
    */
    bool isFinished() noexcept
    {
        // In this order: once close() was seen, the index includes everything pushed before it.
        return m_ring.isClosedForConsumer() && m_ring.elementsAt(m_ring.popIndex()) == 0;
    }

    /*!
        Returns how many elements are inside at some moment during the call; exact if neither end is
        used meanwhile.
    */
    std::size_t size() const noexcept { return m_ring.size(); }
    bool isEmpty() const noexcept { return size() == 0; }

    /*!
        Returns how many elements there is room for.
    */
    std::size_t capacity() const noexcept { return m_ring.capacity(); }

private:
    QPOOL_ALWAYS_INLINE void popAt(std::size_t index) noexcept
    {
        std::destroy_at(m_ring.slot(index));
        m_ring.publishPopped(index);
    }

    Detail::SpscRing<T> m_ring;
};

QPOOL_END_NAMESPACE

#endif // QSPSCQUEUE_H
