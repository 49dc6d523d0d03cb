// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COUNTEDOBJECTS_H
#define COUNTEDOBJECTS_H

#include "pool.h"

#include <QtTest/QTest>

// Objects of which it is known how many there are.
inline int instances = 0;

class Plain : public QObject
{
    Q_OBJECT

public:
    Q_INVOKABLE Plain() { ++instances; }
    ~Plain() override { --instances; }

    char payload[200] = {};
};

class alignas(64) OverAligned : public QObject
{
    Q_OBJECT

public:
    Q_INVOKABLE OverAligned() { ++instances; }
    ~OverAligned() override { --instances; }

    char payload[200] = {};
};

// The same amount is live as at that time.
inline void compareLive(const PoolSnapshot &before)
{
    const PoolSnapshot after = snapshot();
    for (const char *domain : { "event", "object", "private" })
        QCOMPARE(after.total(domain).live, before.total(domain).live);
}

#endif // COUNTEDOBJECTS_H
