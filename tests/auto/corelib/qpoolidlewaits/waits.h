// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef WAITS_H
#define WAITS_H

#include "../shared/threads.h"

#include <QtTest/QTest>

inline constexpr int LongTime = 1'000'000; // in milliseconds

inline void post(QObject *receiver)
{
    QCoreApplication::postEvent(receiver, new QEvent(QEvent::User));
}

inline bool wait()
{
    return QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents
                                                               | QEventLoop::WaitForMoreEvents);
}

// Until nothing is left that would end the next wait at once.
inline void handleAllEvents()
{
    while (QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents)) { }
}

#endif // WAITS_H
