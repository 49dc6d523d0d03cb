// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLINTERRUPTLOCK_H
#define QPOOLINTERRUPTLOCK_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*!
    \class QPool::MaskingLock
    \brief A lock that keeps interrupt handlers out, for programs on one processor without threads.

    The lock of a StaticPages whose pool, a SharedPool, is used by the main program and by interrupt
    handlers. \a Mask says how interrupts are masked:
      static State mask() noexcept;          // masks them, and returns what was the case before
      static void restore(State) noexcept;   // makes that the case again
    both of which the compiler must not move memory accesses across.

    Who locks restores what it found: such locks nest, and a handler that is entered with interrupts
    masked leaves them masked. Nobody ever waits for one. It is no lock between two processors.

    What stays masked is what the pool does at a time: a push or pop, mostly; a page that is taken or
    given back; when memory runs out, or by trim(), a walk through all that is free.
*/
template <class Mask>
class MaskingLock
{
public:
    void lock() noexcept { m_before = Mask::mask(); }
    bool try_lock() noexcept
    {
        lock();
        return true;
    }
    void unlock() noexcept { Mask::restore(m_before); }

private:
    // Written once interrupts are masked, and read before they are not: it has one user at a time.
    decltype(Mask::mask()) m_before {};
};

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
// All interrupts of a Cortex-M but those that nothing masks: NMI and HardFault, whose handlers must
// not use the pool.
struct PriorityMask
{
    static std::uint32_t mask() noexcept
    {
        std::uint32_t before;
        __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(before) : : "memory");
        return before;
    }
    static void restore(std::uint32_t before) noexcept
    {
        __asm volatile("msr primask, %0" : : "r"(before) : "memory");
    }
};
using InterruptLock = MaskingLock<PriorityMask>;
#endif

QPOOL_END_NAMESPACE

#endif // QPOOLINTERRUPTLOCK_H
