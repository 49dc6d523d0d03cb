// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/watchdog.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QEventLoop>
#include <QtCore/QTimer>
#include <QtTest/QTest>

// A loop that a slot of aboutToBlock() runs takes no wake-up from the loop that is about to block. Stock Qt's UNIX
// dispatcher fails.
class tst_NestedWakeUps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void waitsWhileAboutToBlockLoseNoEvent();
    void callsWhileAboutToBlockDoNotKeepTheLoopAwake();
};

// The dispatcher that is tested, unless the caller says which one it has chosen.
static const bool s_chosen = qEnvironmentVariableIsSet("QPOOL_EXPECTED_DISPATCHER") || qputenv("QT_NO_GLIB", "1");

void tst_NestedWakeUps::initTestCase()
{
    QVERIFY(s_chosen);
    const QByteArray expected = qEnvironmentVariable("QPOOL_EXPECTED_DISPATCHER", QStringLiteral("UNIX")).toLatin1();
    const QByteArray name = dispatcher()->metaObject()->className();
    QVERIFY2(name.contains(expected), name.constData());
}

// The wake-up for the event that was posted before the inner loop's wait ends this wait, and the loop returns without
// delivering the event.
void tst_NestedWakeUps::waitsWhileAboutToBlockLoseNoEvent()
{
    Watchdog watchdog("an event posted before the wait of a loop within aboutToBlock()");
    QEventLoop loop;
    QObject context;
    int depth = 0;
    connect(dispatcher(), &QAbstractEventDispatcher::aboutToBlock, &context, [&] {
        if (depth) {
            QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
        } else {
            ++depth;
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            --depth;
        }
    });
    for (int i = 0; i < 100; ++i)
        loop.exec();
}

// sendPostedEvents() for an object without events says that there are some if any object has, also one whose deletion
// waits for an outer loop.
void tst_NestedWakeUps::callsWhileAboutToBlockDoNotKeepTheLoopAwake()
{
    if (dispatcher()->inherits("QEventDispatcherGlib"))
        QSKIP("stock Qt's GLib dispatcher spins");
    Watchdog watchdog("a loop with a slot of aboutToBlock() that sends no event");
    QObject idle;
    int blocks = 0;
    connect(dispatcher(), &QAbstractEventDispatcher::aboutToBlock, &idle, [&] {
        ++blocks;
        QCoreApplication::sendPostedEvents(&idle);
    });
    QEventLoop outer;
    QTimer::singleShot(0, &outer, [&] {
        (new QObject)->deleteLater();
        QEventLoop inner;
        QTimer::singleShot(50, &inner, &QEventLoop::quit);
        blocks = 0;
        inner.exec();
        outer.quit();
    });
    outer.exec();
    QVERIFY2(blocks < 10, QByteArray::number(blocks).constData());
}

QTEST_GUILESS_MAIN(tst_NestedWakeUps)
#include "tst_nestedwakeups.moc"
