// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QAUTORESETEVENT_H
#define QAUTORESETEVENT_H

#include "qpoolfutex.h"

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
        if (QPOOL_UNLIKELY(setAndFoundSleeping()))
            Os::futexWake(m_state);
    }

    /*!
        Sleeps until the event is set, and resets it.
    */
    void wait() noexcept
    {
        if (QPOOL_UNLIKELY(!take()))
            sleep(Os::Forever);
    }

    /*!
        Resets the event and returns true if it is set; otherwise returns false at once.
    */
    bool tryWait() noexcept
    {
        return m_state.load(std::memory_order_relaxed) == Set && take();
    }

    /*!
        Like wait(), for at most \a time; returns whether the event was set. The precision of the
        time depends on the system: Windows counts milliseconds.
    */
    bool waitFor(std::chrono::nanoseconds time) noexcept
    {
        return take() || sleep(time.count() > 0 ? time.count() : 0);
    }

private:
    /*
        0         no thread sleeps, and no signal has come since the last wait
        Set       a signal has come
        Sleeping  the waiter sleeps or is about to

        Invariants
        - The word has one of these values. Only the waiter counts down, and only while it is awake:
          from Set to 0, or from 0 to Sleeping. An awake waiter finds Set or 0: signallers turn 0 into
          Set, and leave Sleeping as it is or exchange it for Set.
        - The waiter itself leaves Sleeping only when its time is over, by a compare-exchange.
        - No signal is lost. A signaller that finds 0 or Set leaves Set, which the waiter's next change
          takes. A signaller that finds Sleeping has changed nothing yet: it exchanges the word for
          Set, and this exchange is its signal. The word may have another value by then: the waiter's
          time may be over, another signaller may have woken it, and it may sleep again.
        - No sleep outlasts a signal. The signaller whose exchange returns Sleeping wakes the waiter, and
          the system does not let a thread sleep whose word is not Sleeping. Other signallers find Set
          and need not call the system again.

        Every change is a read-modify-write, which reads the newest value. So no additional fence is
        needed for what the signaller wrote and the waiter checks: one of the two sees the other.
        The load in tryWait() may see Set late; then tryWait() returns false. Once it sees Set, it may
        be relaxed, because no other thread clears Set, and the change that follows acquires. Each
        signal continues the release sequence of those before it, so that the waiter, which acquires,
        sees what all of them wrote. Waiting does not release: the signaller learns nothing about the
        waiter. A plain store of 0 would lose what a signal in between has to show. If signal()
        returned early without writing when the event is already set, it would not show what this
        signaller wrote.

        The model is tests/auto/model/event.pml.
    */
    static constexpr std::uint32_t Set = 1;
    static constexpr std::uint32_t Sleeping = 0xffffffffu; // one less than 0, with Set's bit

    // Sets Set, and returns whether the caller must wake the waiter. Changing a word in place takes x86
    // less time than fetching its old value, and leaves the sign in the flags: GCC uses this since
    // version 12, other compilers write a loop. They get the exchange alone.
    QPOOL_ALWAYS_INLINE bool setAndFoundSleeping() noexcept
    {
#if defined(__GNUC__) && !defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#  if __GNUC__ >= 12
        if (QPOOL_LIKELY(std::int32_t(m_state |= Set) >= 0))
            return false;
#  endif
#endif
        return m_state.exchange(Set, std::memory_order_release) == Sleeping;
    }

    // Takes the signal and returns true, or announces a sleep. The flags of the subtraction tell which.
    QPOOL_ALWAYS_INLINE bool take() noexcept
    {
        return m_state.fetch_sub(1, std::memory_order_acquire) == Set;
    }

    // take() has returned false.
    QPOOL_NEVER_INLINE bool sleep(std::int64_t nanoseconds) noexcept
    {
        using Clock = std::chrono::steady_clock;

        // The time is measured from here, because the system may end a sleep early for no reason.
        const bool timed = nanoseconds >= 0;
        const Clock::time_point begin = timed ? Clock::now() : Clock::time_point();
        std::int64_t left = nanoseconds;
        while (m_state.load(std::memory_order_relaxed) == Sleeping) {
            if (timed && left <= 0) {
                // Back to 0, unless a signal came first.
                std::uint32_t expected = Sleeping;
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
        return take(); // true: the word is Set
    }

    std::atomic<std::uint32_t> m_state { 0 };
};

QPOOL_END_NAMESPACE

#endif // QAUTORESETEVENT_H
