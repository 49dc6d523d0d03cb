// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SLOTS_H
#define SLOTS_H

#include "../shared/pool.h"

class Sender : public QObject
{
    Q_OBJECT

public slots:
    void slot() { ++called; }

signals:
    void sent();

public:
    // Slots of all kinds, since the test function began.
    static inline int called = 0;
};

inline void slotFunction()
{
    ++Sender::called;
}

// Reports where it is stored when it is called.
struct Functor
{
    void operator()() const
    {
        ++Sender::called;
        place = this;
    }
    static inline const void *place = nullptr;
};

template <std::size_t Size, std::size_t Alignment>
struct alignas(Alignment) Kept : Functor
{
    char payload[Size] = {};
};

inline void forgetCalls()
{
    Sender::called = 0;
    Functor::place = nullptr;
}

inline ClassStatistics privates()
{
    return snapshot().total("private");
}

inline ClassStatistics live(qint64 count)
{
    return { count, 0, 0, count };
}

inline ClassStatistics madeAndFreed(qint64 count)
{
    return { count, count, 0, 0 };
}

#endif // SLOTS_H
