// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QAUTORESETEVENT_H
#define QAUTORESETEVENT_H

#include "../../os/qpoolfutex.h"

#include <chrono>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::AutoResetEvent
    \brief Wakes a thread, by a system call only while that thread sleeps.

    signal() sets the event, wait() waits until it is set and resets it. Signals are not counted: those
    that come before the thread waits are one. What the signaller wrote before signal(), the waiter
    sees after wait(), also if another signal was in between. While nobody sleeps, signal() and wait()
    take one atomic operation each and no system call.

    wait() may return though what the caller waits for is not there yet, for a signal may be one
    that the caller needed no more: it looks, and waits again.

    Threads: any number may call signal(); one at a time may wait. The event must live until every
    call of signal() has returned, not only until its signal has been seen.

    Allocates nothing and throws nothing. 4 bytes, aligned to 4. errno is kept.

    The kernel object of this kind is Windows's auto-reset event; asking the kernel only when there is
    somebody to wake is Drepper's ("Futexes Are Tricky", 2004).
*/
class AutoResetEvent
{
public:
    constexpr AutoResetEvent() = default;
    AutoResetEvent(const AutoResetEvent &) = delete;
    AutoResetEvent &operator=(const AutoResetEvent &) = delete;

    /*!
        Sets the event, and wakes the thread that sleeps in wait() if there is one.
    */
    void signal() noexcept
    {
        if (QPOOL_UNLIKELY(m_state.exchange(Set, std::memory_order_release) == Sleeping))
            Os::futexWake(m_state);
    }

    /*!
        Sleeps until the event is set, and resets it.
    */
    void wait() noexcept
    {
        if (QPOOL_UNLIKELY(!tryWait()))
            sleep(Os::Forever);
    }

    /*!
        Resets the event and returns true if it is set; else returns false at once.
    */
    bool tryWait() noexcept { return m_state.exchange(Reset, std::memory_order_acquire) == Set; }

    /*!
        As wait(), for at most \a time; returns whether the event was set. How exactly time is kept is
        the system's affair: Windows counts milliseconds.
    */
    bool waitFor(std::chrono::nanoseconds time) noexcept
    {
        return tryWait() || sleep(time.count() > 0 ? time.count() : 0);
    }

private:
    /*
        Reset     nobody sleeps, and no signal has come since the last wait
        Set       a signal has come
        Sleeping  no signal has come, and the waiter sleeps or is about to

        Invariants: only the waiter makes it Reset or Sleeping, and Sleeping of Reset alone; only
        signal() makes it Set. So it is not Sleeping unless somebody is in sleep(), and a signal is lost
        to neither order of the two: after the waiter's compare-exchange signal() finds Sleeping and
        wakes, before it the compare-exchange finds Set.

        Every change is a read-modify-write. It reads the newest value, so no fence is needed beside it
        for what the signaller wrote and the waiter looks at: one of both sees the other. And each signal
        continues the release sequence of those before it, so that the waiter, which acquires, sees what
        all of them wrote. Waiting releases nothing: the signaller learns nothing of the waiter. A plain
        store of Reset would lose what a signal in between has to show; returning from signal() early
        when the event is Set already, without writing, would not show what this signaller wrote.

        The model is tests/auto/model/event.pml.
    */
    enum State : std::uint32_t { Reset, Set, Sleeping };

    QPOOL_NEVER_INLINE bool sleep(std::int64_t nanoseconds) noexcept
    {
        using Clock = std::chrono::steady_clock;
        std::uint32_t expected = Reset;
        if (!m_state.compare_exchange_strong(expected, Sleeping, std::memory_order_relaxed,
                                             std::memory_order_relaxed))
            return tryWait(); // it is Set, and stays so

        // Counted from here on, for the system may end a sleep early for no reason.
        const bool timed = nanoseconds >= 0;
        const Clock::time_point begin = timed ? Clock::now() : Clock::time_point();
        std::int64_t left = nanoseconds;
        while (m_state.load(std::memory_order_relaxed) == Sleeping) {
            if (timed && left <= 0) {
                // Back to Reset, unless a signal is faster.
                expected = Sleeping;
                if (m_state.compare_exchange_strong(expected, Reset, std::memory_order_relaxed,
                                                    std::memory_order_relaxed))
                    return false;
                break;
            }
            Os::futexWait(m_state, Sleeping, left);
            if (timed) {
                const std::chrono::nanoseconds passed = Clock::now() - begin;
                left = nanoseconds - passed.count();
            }
        }
        return tryWait();
    }

    std::atomic<std::uint32_t> m_state { Reset };
};

QPOOL_END_NAMESPACE

#endif // QAUTORESETEVENT_H
