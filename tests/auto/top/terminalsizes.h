// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TERMINALSIZES_H
#define TERMINALSIZES_H

#include <QtTest/QTest>

// The sizes of a terminal in which every screen must fit, as rows of a test's data.
inline void addTerminalSizes()
{
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("rows");
    QTest::newRow("80x24") << 80 << 24;
    QTest::newRow("132x50") << 132 << 50;
    QTest::newRow("40x10") << 40 << 10;
    QTest::newRow("10x3") << 10 << 3;
    QTest::newRow("1x1") << 1 << 1;
}

#endif
