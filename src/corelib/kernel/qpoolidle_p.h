// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLIDLE_P_H
#define QPOOLIDLE_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

#include <QtCore/qdeadlinetimer.h>
#include <QtCore/qglobal.h>
#include <QtCore/qwaitcondition.h>

#include <chrono>
#include <type_traits>

QT_BEGIN_NAMESPACE

// How a thread waits that gives memory back before: in bounded steps, between which it looks for what it
// waits for. So that comes no later than a step, and a thread that sleeps has given everything back.
//
// What is returned, and when, is what the wait alone would return: no step handles events, and a wait
// that ended only to give back more is continued. A wait of no time is no sleep, so nothing is given
// back before it.
//
// The functions that wait are parameters because their types differ between Qt's versions, and so that
// this header needs neither GLib's nor those of UNIX.
namespace QPoolIdle {

// One step: qt_pool_allocator_idle(), which says what the result means. A test may set another function,
// while no other thread waits.
Q_CORE_EXPORT extern int (*giveBack)();

// For how many milliseconds of one sleep a thread wakes up to look for memory to give back. Its own is gone by
// then; if it looked for longer, it would wake up as long as other threads work.
constexpr int MostLooking = 2000;

// Calls \a wait with a deadline, at least once, until it returns something other than 0, or \a deadline
// has passed. If nothing can be given back, it is called once, with \a deadline.
template <typename Wait>
int waitUntil(QDeadlineTimer deadline, Wait wait)
{
    QDeadlineTimer looking(QDeadlineTimer::Forever); // until there is something to wait for
    while (!deadline.hasExpired()) {
        const int next = giveBack();
        if (next < 0 || (next > 0 && looking.hasExpired()))
            break;
        if (next > 0 && looking.isForever())
            looking.setRemainingTime(MostLooking);
        const QDeadlineTimer piece(next);
        if (deadline <= piece)
            break;
        if (const int result = wait(piece))
            return result;
    }
    return wait(deadline);
}

inline std::chrono::nanoseconds timeUntil(QDeadlineTimer deadline)
{
    const std::chrono::nanoseconds rest = deadline.remainingTimeAsDuration();
    return rest.count() > 0 ? rest : std::chrono::nanoseconds::zero();
}

// As \a poll, which is qt_safe_poll(). Before Qt 6.7 it takes a timespec, which is null for ever.
template <auto poll, typename Descriptor, typename Count, typename Timeout>
int pollUnix(Descriptor *descriptors, Count count, Timeout timeout)
{
    if constexpr (std::is_pointer_v<Timeout>) {
        using Timespec = std::remove_cv_t<std::remove_pointer_t<Timeout>>;
        using Seconds = decltype(Timespec::tv_sec);
        if (timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0)
            return poll(descriptors, count, timeout);
        QDeadlineTimer deadline(QDeadlineTimer::Forever);
        if (timeout) {
            // Thirty years, because a deadline counts nanoseconds.
            const Seconds seconds = qMin(timeout->tv_sec, Seconds(1'000'000'000));
            deadline.setPreciseRemainingTime(seconds, timeout->tv_nsec);
        }
        return waitUntil(deadline, [&](QDeadlineTimer until) {
            if (until.isForever())
                return poll(descriptors, count, nullptr);
            const std::chrono::nanoseconds rest = timeUntil(until);
            const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(rest);
            Timespec time = {};
            time.tv_sec = Seconds(seconds.count());
            time.tv_nsec = decltype(time.tv_nsec)((rest - seconds).count());
            return poll(descriptors, count, &time);
        });
    } else {
        // Costs no look at the clock.
        if (timeout == QDeadlineTimer())
            return poll(descriptors, count, timeout);
        return waitUntil(timeout, [&](QDeadlineTimer until) { return poll(descriptors, count, until); });
    }
}

// As \a poll, which is g_poll(): a context's poll function. GLib calls it between the sources' prepare()
// and check(), so neither these nor other users of the context notice that memory is given back.
template <auto poll, typename Descriptor>
int pollGLib(Descriptor *descriptors, unsigned count, int timeout)
{
    if (timeout == 0)
        return poll(descriptors, count, 0);
    return waitUntil(QDeadlineTimer(timeout < 0 ? -1 : timeout), [&](QDeadlineTimer until) {
        if (until.isForever())
            return poll(descriptors, count, -1);
        // Rounded up: a poll that ends too early would be followed by short ones.
        const auto time = std::chrono::ceil<std::chrono::milliseconds>(timeUntil(until));
        return poll(descriptors, count, int(time.count()));
    });
}

// How a worker of QThreadPool waits, as long as \a isWaiting() and until \a expiry: it is listed as
// waiting, and whoever gives it work, or resets the pool, removes it from the list and signals \a work.
//
// \a locker holds the pool's lock, which others must not wait for while memory is given back. Nobody
// would wake a worker that was removed from the list meanwhile, so it must not wait then. The signal may
// also come when a part of the wait has just ended, so the list alone tells whether there is work.
template <typename Locker, typename IsWaiting>
void waitForWork(Locker &locker, QWaitCondition &work, QDeadlineTimer expiry, IsWaiting isWaiting)
{
    const QDeadlineTimer looking(MostLooking);
    int next = 0;
    do {
        if (next != 0 && looking.hasExpired()) {
            next = -1;
        } else {
            locker.unlock();
            next = giveBack();
            locker.relock();
        }
        if (next != 0 && isWaiting())
            work.wait(locker.mutex(), next < 0 ? expiry : qMin(expiry, QDeadlineTimer(next)));
    } while (isWaiting() && !expiry.hasExpired());
}

} // namespace QPoolIdle

QT_END_NAMESPACE

#endif // QPOOLIDLE_P_H
