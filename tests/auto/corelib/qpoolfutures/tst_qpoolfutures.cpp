// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <QtCore/QFuture>
#include <QtCore/QPromise>
#include <QtCore/QWaitCondition>
#include <QtTest/QTest>

#include <memory>
#include <optional>
#include <thread>

// QtCore's allocations for futures come from the pool.
class tst_QPoolFutures : public QObject
{
    Q_OBJECT

private slots:
    void promisesAllocateFromThePool();
    void losesNothingFreedElsewhere();
    void continuationsLoseNothing();
};

namespace {

qint64 allocatedPrivates()
{
    return snapshot().total("private").allocated;
}

// Chunks that this thread freed for others, and has not sent yet, count as live.
qint64 livePrivates()
{
    qt_pool_allocator_idle();
    return snapshot().total("private").live;
}

} // namespace

void tst_QPoolFutures::promisesAllocateFromThePool()
{
    const qint64 before = allocatedPrivates();
    const qint64 live = livePrivates();
    {
        QWaitCondition condition;
        QCOMPARE(allocatedPrivates() - before, 1);
        // Its private part, and two conditions in there.
        QPromise<int> promise;
        QCOMPARE(allocatedPrivates() - before, 4);
        QCOMPARE(livePrivates() - live, 4);
    }
    QCOMPARE(livePrivates(), live);
}

void tst_QPoolFutures::losesNothingFreedElsewhere()
{
    const auto useElsewhere = [] {
        auto promise = std::make_unique<QPromise<int>>();
        QFuture<int> future = promise->future();
        promise->start();
        std::thread([&] {
            promise->addResult(7);
            promise->finish();
            promise.reset();
            if (std::exchange(future, QFuture<int>()).result() != 7)
                qFatal("the result was lost");
        }).join();
    };

    // The first time creates what Qt creates only once.
    useElsewhere();
    const qint64 live = livePrivates();
    useElsewhere();
    QCOMPARE(livePrivates(), live);
}

void tst_QPoolFutures::continuationsLoseNothing()
{
    const qint64 live = livePrivates();
    std::optional<int> received;
    {
        QObject context;
        QPromise<int> promise;
        promise.start();
        QFuture<void> last = promise.future().then(&context, [&](int value) { received = value; });
        promise.addResult(3);
        promise.finish();
        QTRY_VERIFY(last.isFinished());
    }
    QCOMPARE(received, 3);
    QCOMPARE(livePrivates(), live);
}

QTEST_GUILESS_MAIN(tst_QPoolFutures)
#include "tst_qpoolfutures.moc"
