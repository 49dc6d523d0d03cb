// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QAUTORESETEVENT_H
#define QAUTORESETEVENT_H

#include "../../os/qpoolfutex.h"

#include <chrono>

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::AutoResetEvent
    \brief Wakes a thread, with a system call only while that thread sleeps.

    signal() sets the event; wait() waits until it is set and resets it. Signals are not counted:
    several signals before the thread waits are one. The waiter sees after wait() what the signaller
    wrote before signal(), even if another signal was in between. While no thread sleeps, signal()
    and wait() take one atomic operation each and no system call.

    wait() may return although the condition that the caller waits for does not hold yet, because of
    a signal that the caller no longer needed: the caller has to check the condition, and wait
    again.

    Threads: any number may call signal(); one at a time may wait. The event must live until every
    call of signal() has returned, not only until its signal has been seen.

    Allocates nothing and throws nothing. 4 bytes, aligned to 4. errno is preserved.

    This is Windows's auto-reset event; calling the kernel only if there is a thread to wake is
    Drepper's idea ("Futexes Are Tricky", 2004).
*/
class AutoResetEvent
{
public:
    constexpr AutoResetEvent() = default;
    AutoResetEvent(const AutoResetEvent &) = delete;
    AutoResetEvent &operator=(const AutoResetEvent &) = delete;

    /*!
        Sets the event, and wakes the thread that sleeps in wait(), if any.
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
        Resets the event and returns true if it is set; otherwise returns false at once.
    */
    bool tryWait() noexcept
    {
        if (!(m_state.load(std::memory_order_relaxed) & Set))
            return false;
        m_state.fetch_and(~Set, std::memory_order_acquire);
        return true;
    }

    /*!
        Like wait(), for at most \a time; returns whether the event was set. The precision of the
        time depends on the system: Windows counts milliseconds.
    */
    bool waitFor(std::chrono::nanoseconds time) noexcept
    {
        return tryWait() || sleep(time.count() > 0 ? time.count() : 0);
    }

private:
    /*
        0         no thread sleeps, and no signal has come since the last wait
        Set       a signal has come
        Sleeping  the waiter sleeps or is about to; with Set, until a signaller has woken it

        Invariants: only the waiter sets Sleeping, and only in a word that is 0; signal() sets Set.
        So no signal is lost in either order: after the waiter's compare-exchange, signal() finds
        Sleeping and wakes; before it, the compare-exchange finds Set. A signaller that has found
        Sleeping clears it and then calls the system: others that signal before the waiter runs need
        not do so again. Outside of sleep(), the waiter knows that the word is 0 or Set.

        Every change is a read-modify-write, which reads the newest value. So no additional fence is
        needed for what the signaller wrote and the waiter checks: one of the two sees the other.
        The load in tryWait() may see Set late: then wait() goes on to its compare-exchange. Once it
        sees Set, it may be relaxed, because no other thread clears Set, and the change that follows
        acquires. Each signal continues the release sequence of those before it, so that the waiter,
        which acquires, sees what all of them wrote. Waiting does not release: the signaller learns
        nothing about the waiter. A plain store of 0 would lose what a signal in between has to
        show. If signal() returned early without writing when the event is already set, it would not
        show what this signaller wrote.

        The model is tests/auto/model/event.pml.
    */
    static constexpr std::uint32_t Set = 1;
    static constexpr std::uint32_t Sleeping = 0x80000000u;

    // Sets Set, and returns a value whose sign is Sleeping's bit, which is set if the waiter
    // sleeps. Changing a word in place takes x86 less time than fetching its old value, and leaves
    // the sign in the flags: GCC uses this, other compilers write a loop.
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
        // The word may have another value by now: it was cleared when Set was set, or by another
        // signaller, or the waiter has seen the signal. A needless wake-up does no harm.
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
            return tryWait(); // it is set, and stays set

        // The time is measured from here, because the system may end a sleep early for no reason.
        const bool timed = nanoseconds >= 0;
        const Clock::time_point begin = timed ? Clock::now() : Clock::time_point();
        std::int64_t left = nanoseconds;
        while (m_state.load(std::memory_order_relaxed) == Sleeping) {
            if (timed && left <= 0) {
                // Back to 0, unless a signal came first.
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
        // Clears both bits: the signaller may not have cleared Sleeping yet.
        return m_state.exchange(0, std::memory_order_acquire) & Set;
    }

    std::atomic<std::uint32_t> m_state { 0 };
};

QPOOL_END_NAMESPACE

#endif // QAUTORESETEVENT_H
