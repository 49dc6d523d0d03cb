// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QBLOCKINGSPSCQUEUE_H
#define QBLOCKINGSPSCQUEUE_H

#include "qpoolprocessors.h"
#include "qautoresetevent.h"
#include "../../allocator/os/qpoolspin.h"
#include "qspscqueue.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::BlockingSpscQueue
    \brief A queue from one thread to another, in which both ends can wait.

    Like SpscQueue, but pop() sleeps while there is no element, and push() while there is no room.
    Each call that succeeds signals the other end. This costs one atomic operation, and a system
    call only if that end sleeps. Before an end sleeps, it spins for some microseconds, unless it
    has only one processor, so that two threads that keep each other busy make no system calls.

    \a T, threads, ordering and memory are as for SpscQueue; the queue has three more cache lines.
    It must live until the calls of both ends have returned, not only until the last element has
    been seen.

    close() wakes both ends. Then push() returns false, and pop() goes on until the queue is empty.
*/
template <class T>
class BlockingSpscQueue
{
public:
    using value_type = T;

    /*!
        Makes a queue for \a capacity elements, like SpscQueue's constructor, also without memory.
    */
    explicit BlockingSpscQueue(std::size_t capacity) : m_queue(capacity) { }

    /*!
        The same, but does not throw: without memory, capacity() is 0 and the queue is closed.
    */
    BlockingSpscQueue(std::size_t capacity, const std::nothrow_t &tag) noexcept
        : m_queue(capacity, tag)
    {
        if (m_queue.capacity() == 0)
            m_queue.close();
    }

    BlockingSpscQueue(const BlockingSpscQueue &) = delete;
    BlockingSpscQueue &operator=(const BlockingSpscQueue &) = delete;

    /*!
        Producer: constructs an element from \a arguments at the end. Waits for room. Returns false,
        and does not touch \a arguments, if the queue is closed before or meanwhile.
    */
    template <class... Arguments>
    bool emplace(Arguments &&...arguments)
    {
        // A failed attempt has not moved from any argument.
        while (!tryEmplace(std::forward<Arguments>(arguments)...)) {
            if (isClosed())
                return false;
            waitForRoom(Forever);
        }
        return true;
    }

    bool push(T &&value) { return emplace(std::move(value)); }
    bool push(const T &value) { return emplace(value); }

    /*!
        Producer: pushes \a value like push(), but waits for at most \a time, and returns false
        after that, too.
    */
    template <class Value>
    bool pushFor(Value &&value, std::chrono::nanoseconds time)
    {
        const Deadline deadline(time);
        while (!tryEmplace(std::forward<Value>(value))) {
            if (isClosed() || !waitForRoom(deadline))
                return false;
        }
        return true;
    }

    /*!
        Producer: pushes \a count elements from \a first on, with one signal per wait for room.
        Returns how many it pushed; fewer than \a count only if the queue was closed. \c Iterator is
        a random access iterator.
    */
    template <class Iterator>
    std::size_t pushBatch(Iterator first, std::size_t count)
    {
        using Difference = typename std::iterator_traits<Iterator>::difference_type;
        std::size_t done = tryPushBatch(first, count);
        while (done < count && !isClosed()) {
            waitForRoom(Forever);
            done += tryPushBatch(first + Difference(done), count - done);
        }
        return done;
    }

    /*!
        Producer: constructs an element from \a arguments and returns true, or returns false, like
        SpscQueue::tryEmplace(). Never waits.
    */
    template <class... Arguments>
    bool tryEmplace(Arguments &&...arguments)
    {
        return signalIf(m_queue.tryEmplace(std::forward<Arguments>(arguments)...), m_pushed);
    }
    bool tryPush(T &&value) { return tryEmplace(std::move(value)); }
    bool tryPush(const T &value) { return tryEmplace(value); }
    template <class Iterator>
    std::size_t tryPushBatch(Iterator first, std::size_t count)
    {
        BatchSignal signal { m_pushed };
        return signal.done = m_queue.tryPushBatch(first, count);
    }

    /*!
        Consumer: waits for an element, moves the first one to \a value and pops it. Returns false
        if the queue is closed and empty.
    */
    bool pop(T &value)
    {
        while (!tryPop(value)) {
            if (m_queue.isFinished())
                return false;
            waitForElement(Forever);
        }
        return true;
    }

    /*!
        Consumer: like pop() above, but returns the element, or nothing if the queue is closed and
        empty.
    */
    std::optional<T> pop()
    {
        for (;;) {
            std::optional<T> value = tryPop();
            if (value || m_queue.isFinished())
                return value;
            waitForElement(Forever);
        }
    }

    /*!
        Consumer: pops into \a value like pop(), but waits for at most \a time, and returns false
        after that, too.
    */
    bool popFor(T &value, std::chrono::nanoseconds time)
    {
        const Deadline deadline(time);
        while (!tryPop(value)) {
            if (m_queue.isFinished() || !waitForElement(deadline))
                return false;
        }
        return true;
    }

    /*!
        Consumer: waits for an element, then moves all elements, but at most \a most, to \a to and
        pops them. Returns their number: 0 if the queue is closed and empty, or \a most is 0.
    */
    template <class OutputIterator>
    std::size_t popBatch(OutputIterator to, std::size_t most)
    {
        for (;;) {
            const std::size_t count = tryPopBatch(to, most);
            if (count != 0 || most == 0 || m_queue.isFinished())
                return count;
            waitForElement(Forever);
        }
    }

    /*!
        Consumer: pops into \a value and returns true, or returns false, like SpscQueue::tryPop().
        Never waits.
    */
    bool tryPop(T &value) { return signalIf(m_queue.tryPop(value), m_popped); }
    std::optional<T> tryPop()
    {
        std::optional<T> value = m_queue.tryPop();
        signalIf(value.has_value(), m_popped);
        return value;
    }
    template <class OutputIterator>
    std::size_t tryPopBatch(OutputIterator to, std::size_t most)
    {
        BatchSignal signal { m_popped };
        return signal.done = m_queue.tryPopBatch(to, most);
    }

    /*!
        Like SpscQueue::close(); also wakes threads that wait. Any thread may call it.
    */
    void close() noexcept
    {
        m_queue.close();
        m_pushed.signal();
        m_popped.signal();
    }

    bool isClosed() const noexcept { return m_queue.isClosed(); }
    bool isFinished() noexcept { return m_queue.isFinished(); }
    std::size_t size() const noexcept { return m_queue.size(); }
    bool isEmpty() const noexcept { return m_queue.isEmpty(); }
    std::size_t capacity() const noexcept { return m_queue.capacity(); }

private:
    using Clock = std::chrono::steady_clock;

    struct NoDeadline
    {
        static void wait(AutoResetEvent &event) noexcept { event.wait(); }
        static constexpr bool isOver() noexcept { return false; }
    };
    static constexpr NoDeadline Forever {};

    class Deadline
    {
    public:
        // A time beyond the clock's range becomes its end.
        explicit Deadline(std::chrono::nanoseconds time)
        {
            const Clock::time_point now = Clock::now();
            const auto left = std::chrono::floor<std::chrono::nanoseconds>((Clock::time_point::max)() - now);
            m_end = time < left ? now + std::chrono::duration_cast<Clock::duration>(time)
                                : (Clock::time_point::max)();
        }
        void wait(AutoResetEvent &event) const noexcept { event.waitFor(m_end - Clock::now()); }
        bool isOver() const noexcept { return Clock::now() >= m_end; }

    private:
        Clock::time_point m_end;
    };

    static QPOOL_ALWAYS_INLINE bool signalIf(bool done, AutoResetEvent &event) noexcept
    {
        if (done)
            event.signal();
        return done;
    }

    // If an exception ends a batch early, some elements may have moved: signal in any case.
    struct BatchSignal
    {
        ~BatchSignal() { signalIf(done != 0, event); }
        AutoResetEvent &event;
        std::size_t done = 1;
    };

    // Both return when there may be something to do, or the queue was closed; false if the time is
    // over.

    template <class End>
    bool waitForRoom(const End &end) noexcept
    {
        return wait(m_popped, end, [this] { return m_queue.room() != 0 || isClosed(); });
    }

    template <class End>
    bool waitForElement(const End &end) noexcept
    {
        return wait(m_pushed, end, [this] { return m_queue.front() || isClosed(); });
    }

    // The event keeps a signal that comes before the wait, and each change is followed by its
    // signal. So the ring need not be checked between the last check and the wait; a wait that ends
    // because of an old signal costs one turn of the caller's loop.
    template <class End, class Condition>
    QPOOL_NEVER_INLINE bool wait(AutoResetEvent &event, const End &end, Condition &&isThere) noexcept
    {
        for (unsigned spins = m_spins; spins > 0; --spins) {
            if (isThere())
                return true;
            Detail::spinOnce();
        }
        if (end.isOver())
            return false;
        end.wait(event);
        return true;
    }

    // About as long as falling asleep and being woken take. Not used with one processor.
    static constexpr unsigned Spins = 200;

    SpscQueue<T> m_queue;
    const unsigned m_spins = Os::usableProcessors() > 1 ? Spins : 0;
    // Each is written by one end only, unless the other sleeps.
    alignas(CacheLineSize) AutoResetEvent m_pushed;
    alignas(CacheLineSize) AutoResetEvent m_popped;
};

QPOOL_END_NAMESPACE

#endif // QBLOCKINGSPSCQUEUE_H
