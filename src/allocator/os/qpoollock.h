// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLLOCK_H
#define QPOOLLOCK_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

// For state that only one thread ever accesses; keeps the thread library out of programs without
// one.
struct NoLock
{
    void lock() noexcept { }
    bool try_lock() noexcept { return true; }
    void unlock() noexcept { }
};

template <class Lock>
class Locker
{
public:
    explicit Locker(Lock &lock) noexcept : m_lock(lock) { m_lock.lock(); }
    ~Locker() { m_lock.unlock(); }
    Locker(const Locker &) = delete;
    Locker &operator=(const Locker &) = delete;

private:
    Lock &m_lock;
};

QPOOL_END_NAMESPACE

#endif // QPOOLLOCK_H
