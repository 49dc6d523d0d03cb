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
    handlers. \a Mask defines how interrupts are masked:
      static State mask() noexcept;          // masks them and returns the previous state
      static void restore(State) noexcept;   // restores that state
    The compiler must not move memory accesses across either.

    Unlocking restores the state before locking: the locks nest, and a handler that is entered with
    interrupts masked leaves them masked. Locking never waits. It does not lock against another
    processor.

    Interrupts are masked for one step of the pool: usually a push or a pop; taking or giving back a
    page; and, when memory runs out or in trim(), a walk through all free chunks.
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
    // Written after interrupts are masked, and read before they are restored: it has one user at a
    // time.
    decltype(Mask::mask()) m_before {};
};

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
// All interrupts of a Cortex-M, except those that cannot be masked: NMI and HardFault, whose
// handlers must not use the pool.
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
