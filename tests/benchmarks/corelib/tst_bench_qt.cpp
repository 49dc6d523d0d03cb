// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Typical uses of QtCore. Built twice: against the pooled QtCore's headers, and against the
// distribution's. The latter program runs on the distribution's QtCore, on the one with the flag
// off, with other allocators preloaded, and on the pooled one as a program that was not rebuilt.

#include "measure.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>
#include <QtCore/QFuture>
#include <QtCore/QPromise>
#include <QtCore/QSemaphore>
#include <QtCore/QThread>
#include <QtCore/QTimer>

using namespace Bench;

namespace {

using Run = void (*)(int operations);

template <class Object>
void newAndDelete(int operations)
{
    for (int i = 0; i < operations; ++i)
        delete static_cast<Object *>(opaque(new Object));
}

// A thousand children, destroyed by their parent.
void tree(int operations)
{
    for (int done = 0; done < operations; done += 1000) {
        QObject parent;
        for (int i = 0; i < 1000; ++i)
            opaque(new QObject(&parent));
    }
}

class Receiver : public QObject
{
public:
    using QObject::QObject;

    int received = 0;
    QSemaphore done;

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        ++received;
        return true;
    }
};

// One event at a time, each with its own turn of the event loop, which costs the most.
void postEach(int operations)
{
    Receiver receiver;
    for (int i = 0; i < operations; ++i) {
        QCoreApplication::postEvent(&receiver, new QEvent(QEvent::User));
        QCoreApplication::processEvents();
    }
    if (receiver.received != operations)
        qFatal("an event was lost");
}

// A hundred at a time, as a program does that has something to do.
void post(int operations)
{
    Receiver receiver;
    for (int i = 0; i < operations; i += 100) {
        for (int j = 0; j < 100; ++j)
            QCoreApplication::postEvent(&receiver, new QEvent(QEvent::User));
        QCoreApplication::processEvents();
    }
    if (receiver.received != operations)
        qFatal("an event was lost");
}

// Calls to an object of another thread, delivered there while more are sent. At most a thousand are
// queued; otherwise the result would depend on how far one thread can run ahead of the other.
void queued(int operations)
{
    constexpr int most = 1000;
    QThread thread;
    Receiver receiver;
    receiver.moveToThread(&thread);
    thread.start();
    for (int sent = 0; sent < operations; sent += most) {
        for (int i = 0; i < most; ++i) {
            QMetaObject::invokeMethod(
                    &receiver,
                    [&receiver] {
                        if (++receiver.received % most == 0)
                            receiver.done.release();
                    },
                    Qt::QueuedConnection);
        }
        receiver.done.acquire();
    }
    thread.quit();
    thread.wait();
}

void connectAndDisconnect(int operations)
{
    QTimer sender;
    QObject receiver;
    for (int i = 0; i < operations; ++i) {
        const auto connection = QObject::connect(&sender, &QTimer::timeout, &receiver,
                                                 &QObject::deleteLater);
        QObject::disconnect(connection);
    }
}

// Objects that ask to be deleted, as most do that live in a loop.
void later(int operations)
{
    for (int done = 0; done < operations; done += 100) {
        for (int i = 0; i < 100; ++i)
            (new QObject)->deleteLater();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        // Events of one type leave their places in the queue behind, and the next ones take the
        // longer to find.
        QCoreApplication::sendPostedEvents();
    }
}

// Single shots that are due at once: a timer of the dispatcher's each.
void singleShot(int operations)
{
    int fired = 0;
    QObject context;
    for (int done = 0; done < operations; done += 100) {
        for (int i = 0; i < 100; ++i)
            QTimer::singleShot(0, &context, [&fired] { ++fired; });
        while (fired < done + 100)
            QCoreApplication::processEvents();
    }
}

// A promise, a continuation in the thread of an object, the result delivered through its loop.
void future(int operations)
{
    QObject context;
    int sum = 0;
    for (int done = 0; done < operations; done += 100) {
        for (int i = 0; i < 100; ++i) {
            QPromise<int> promise;
            promise.start();
            promise.future().then(&context, [&sum](int value) { sum += value; });
            promise.addResult(1);
            promise.finish();
        }
        while (sum < done + 100)
            QCoreApplication::processEvents();
    }
}

// A signal with an argument that has to be copied, to a receiver that takes it from the queue.
void queuedSignal(int operations)
{
    QObject sender, receiver;
    int received = 0;
    QObject::connect(
            &sender, &QObject::objectNameChanged, &receiver,
            [&received](const QString &) { ++received; }, Qt::QueuedConnection);
    const QString names[] = { QStringLiteral("one"), QStringLiteral("other") };
    for (int done = 0; done < operations; done += 100) {
        for (int i = 0; i < 100; ++i)
            sender.setObjectName(names[i % 2]);
        QCoreApplication::sendPostedEvents();
    }
    if (received != operations)
        qFatal("a signal was lost");
}

} // namespace

Q_DECLARE_METATYPE(Run)

class tst_Bench_Qt : public QObject
{
    Q_OBJECT
private slots:
    void qt_data();
    void qt();
};

void tst_Bench_Qt::qt_data()
{
    QTest::addColumn<int>("operations");
    QTest::addColumn<Run>("function");
    QTest::addRow("qobject") << 10000 << Run(newAndDelete<QObject>);
    QTest::addRow("qtimer") << 10000 << Run(newAndDelete<QTimer>);
    QTest::addRow("tree") << 10000 << Run(tree);
    QTest::addRow("post") << 10000 << Run(post);
    QTest::addRow("post-each") << 2000 << Run(postEach);
    QTest::addRow("queued") << 20000 << Run(queued);
    QTest::addRow("connect") << 10000 << Run(connectAndDisconnect);
    QTest::addRow("later") << 10000 << Run(later);
    QTest::addRow("singleshot") << 10000 << Run(singleShot);
    QTest::addRow("signal") << 10000 << Run(queuedSignal);
    QTest::addRow("future") << 10000 << Run(future);
}

void tst_Bench_Qt::qt()
{
    QFETCH(int, operations);
    QFETCH(Run, function);
    measure(operations, [&] { function(operations); });
}

QTEST_GUILESS_MAIN(tst_Bench_Qt)

#include "tst_bench_qt.moc"
