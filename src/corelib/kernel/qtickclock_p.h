// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QTICKCLOCK_P_H
#define QTICKCLOCK_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "qpoolglobal.h"

#include <atomic>
#include <chrono>

#if defined(__linux__) && defined(__x86_64__)
#  include <fcntl.h>
#  include <unistd.h>
#  include <x86intrin.h>
#endif

QPOOL_BEGIN_NAMESPACE

namespace Os {

/*
    A clock that is read several times for each event. The processor's counter costs a third of what
    the system's clock does, but is one clock for all processors only if their counters are
    synchronised and have the same rate. Linux has determined that: its own clock uses the counter
    then. Otherwise the system's clock is read, and a tick is a nanosecond.
*/
class TickClock
{
public:
    TickClock() = delete;

    // Decides which clock it is. Called once, before the first now().
    static void choose() noexcept
    {
#if defined(__linux__) && defined(__x86_64__)
        char name[4] = {};
        const int file = ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                                O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return;
        const bool read = ::read(file, name, sizeof(name)) == sizeof(name);
        ::close(file);
        s_counter = read && name[0] == 't' && name[1] == 's' && name[2] == 'c' && name[3] == '\n';
#endif
    }

    QPOOL_ALWAYS_INLINE static std::uint64_t now() noexcept
    {
#if defined(__linux__) && defined(__x86_64__)
        if (QPOOL_LIKELY(s_counter))
            return __rdtsc();
#elif defined(__aarch64__) && defined(__GNUC__)
        // Defined to count at one rate, for all processors.
        std::uint64_t ticks;
        asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
#endif
        return nanoseconds();
    }

    static std::uint64_t nanoseconds() noexcept
    {
        return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                std::chrono::steady_clock::now().time_since_epoch()).count());
    }

    static const char *name() noexcept { return isCounter() ? "counter" : "system"; }

    static bool isCounter() noexcept
    {
#if defined(__aarch64__) && defined(__GNUC__)
        return true;
#else
        return s_counter;
#endif
    }

private:
    // Written only by choose().
    static inline bool s_counter = false;
};

// Converts ticks to nanoseconds of the system's steady clock, always at the same rate: measured
// once, over ten milliseconds or more, which both clocks measure to about ten nanoseconds.
class TickRate
{
public:
    // Called when the clock is chosen.
    void begin() noexcept { m_begin = Sample::take(); }

    // Whether enough time has passed since. The rate does not change after the first success.
    bool settle() noexcept
    {
        if (m_settled)
            return true;
        if (TickClock::isCounter()) {
            if (TickClock::nanoseconds() - m_begin.nanoseconds < 10'000'000)
                return false;
            const Sample now = Sample::take();
            m_rate = double(now.nanoseconds - m_begin.nanoseconds) / double(now.ticks - m_begin.ticks);
        }
        m_settled = true;
        return true;
    }

    std::uint64_t toNanoseconds(std::uint64_t ticks) const noexcept
    {
        const auto passed = std::int64_t(ticks - m_begin.ticks);
        return m_begin.nanoseconds + std::uint64_t(std::int64_t(double(passed) * m_rate));
    }

private:
    // Reads both clocks at one moment. The thread may be interrupted between the two reads for any
    // time: of several readings, the one that took the least time counts.
    struct Sample
    {
        static Sample take() noexcept
        {
            Sample best;
            std::uint64_t least = ~std::uint64_t(0);
            for (int i = 0; i < 16; ++i) {
                const std::uint64_t before = TickClock::nanoseconds();
                const std::uint64_t ticks = TickClock::now();
                const std::uint64_t took = TickClock::nanoseconds() - before;
                if (took < least) {
                    least = took;
                    best = { ticks, before + took / 2 };
                }
            }
            return best;
        }
        std::uint64_t ticks = 0;
        std::uint64_t nanoseconds = 0;
    };

    Sample m_begin;
    double m_rate = 1;
    bool m_settled = false;
};

} // namespace Os

QPOOL_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QTICKCLOCK_P_H
