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
        if (QPOOL_UNLIKELY(std::int32_t(set()) < 0))
            wake();
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
    bool tryWait() noexcept
    {
        if (!(m_state.load(std::memory_order_relaxed) & Set))
            return false;
        m_state.fetch_and(~Set, std::memory_order_acquire);
        return true;
    }

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
        0         nobody sleeps, and no signal has come since the last wait
        Set       a signal has come
        Sleeping  the waiter sleeps or is about to; with Set, until somebody has woken it

        Invariants: the waiter alone sets Sleeping, and only in a word that is 0; signal() sets Set. So a
        signal is lost to neither order of the two: after the waiter's compare-exchange signal() finds
        Sleeping and wakes, before it the compare-exchange finds Set. Who has found Sleeping clears it
        and then asks the system: those that signal before the waiter runs need not ask again. Outside
        of sleep() the waiter knows that the word is 0 or Set.

        Every change is a read-modify-write. It reads the newest value, so no fence is needed beside it
        for what the signaller wrote and the waiter looks at: one of both sees the other. The load in
        tryWait() may be late to see Set: then wait() goes on to its compare-exchange. Once it sees it, it
        may be relaxed, for nobody else clears Set, and the change that follows acquires. Each signal
        continues the release sequence of those before it, so that the waiter, which acquires, sees what
        all of them wrote. Waiting releases nothing: the signaller learns nothing of the waiter. A plain
        store of 0 would lose what a signal in between has to show; returning from signal() early
        when the event is set already, without writing, would not show what this signaller wrote.

        The model is tests/auto/model/event.pml.
    */
    static constexpr std::uint32_t Set = 1;
    static constexpr std::uint32_t Sleeping = 0x80000000u;

    // Sets Set, and returns what has Sleeping's bit, its sign, if the waiter sleeps. To change a word in
    // place takes x86 less time than to fetch what was there, and the sign it has in its flags then:
    // GCC knows that, others write a loop.
    QPOOL_ALWAYS_INLINE std::uint32_t set() noexcept
    {
#if defined(__GNUC__) && !defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
        return m_state |= Set;
#else
        return m_state.exchange(Set, std::memory_order_release);
#endif
    }

    QPOOL_NEVER_INLINE void wake() noexcept
    {
        // The word may be another by now: it was cleared when Set was set, or by another signaller, or
        // the waiter has seen the signal. To wake that for nothing does no harm.
        std::uint32_t expected = Sleeping | Set;
        m_state.compare_exchange_strong(expected, Set, std::memory_order_relaxed,
                                        std::memory_order_relaxed);
        Os::futexWake(m_state);
    }

    QPOOL_NEVER_INLINE bool sleep(std::int64_t nanoseconds) noexcept
    {
        using Clock = std::chrono::steady_clock;
        std::uint32_t expected = 0;
        if (!m_state.compare_exchange_strong(expected, Sleeping, std::memory_order_relaxed,
                                             std::memory_order_relaxed))
            return tryWait(); // it is set, and stays so

        // Counted from here on, for the system may end a sleep early for no reason.
        const bool timed = nanoseconds >= 0;
        const Clock::time_point begin = timed ? Clock::now() : Clock::time_point();
        std::int64_t left = nanoseconds;
        while (m_state.load(std::memory_order_relaxed) == Sleeping) {
            if (timed && left <= 0) {
                // Back to 0, unless a signal is faster.
                expected = Sleeping;
                if (m_state.compare_exchange_strong(expected, 0, std::memory_order_relaxed,
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
        // Of both bits: the signaller may not have come to clear Sleeping.
        return m_state.exchange(0, std::memory_order_acquire) & Set;
    }

    std::atomic<std::uint32_t> m_state { 0 };
};

QPOOL_END_NAMESPACE

#endif // QAUTORESETEVENT_H
