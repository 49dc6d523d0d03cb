// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QTimer>
#include <QtCore/private/qobject_p.h>

#include <memory>
#include <vector>

// The pool's statistics of a program that was compiled without it.
class tst_DropInStatistics : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void countsPrivatePartsOfItsObjects();
    void classesHaveTheSizesOfTheHeaders();
};

void tst_DropInStatistics::initTestCase()
{
    QVERIFY2(Pool::isActive(), "run this with ctest, on the pooled QtCore");
}

// Wherever an object is, its private part is QtCore's.
void tst_DropInStatistics::countsPrivatePartsOfItsObjects()
{
    auto privates = [] { return Pool::snapshot().total("private"); };
    const PoolSnapshot before = Pool::snapshot();
    std::vector<std::unique_ptr<QObject>> objects;
    for (int i = 1; i <= 100; ++i) {
        objects.emplace_back(new QTimer);
        QCOMPARE(privates() - before.total("private"), (ClassStatistics { i, 0, 0, i }));
    }
    objects.clear();
    QCOMPARE(privates() - before.total("private"), (ClassStatistics { 100, 100, 0, 0 }));
    QCOMPARE(Pool::snapshot().total("object"), before.total("object"));
}

// The sizes of its classes as QtCore sees them, which follow from the size classes it uses, are
// those of the headers of this program.
void tst_DropInStatistics::classesHaveTheSizesOfTheHeaders()
{
    if (qstrcmp(qVersion(), QT_VERSION_STR) != 0)
        QSKIP("The headers are of another version.");
    auto rounded = [](std::size_t size) { return qint64((size + 7) / 8 * 8); };
    const PoolSnapshot before = Pool::snapshot();
    auto more = [&](const char *domain, std::size_t size) {
        return Pool::snapshot().statistics(domain, rounded(size)).live
               - before.statistics(domain, rounded(size)).live;
    };
    QCOMPARE(sizeof(QEvent), std::size_t(2 * sizeof(void *)));
    const std::unique_ptr<QEvent> event(QEvent(QEvent::User).clone());
    QCOMPARE(more("event", sizeof(QEvent)), 1);
    const std::unique_ptr<QEvent> timerEvent(QTimerEvent(1).clone());
    QCOMPARE(more("event", sizeof(QTimerEvent)), sizeof(QTimerEvent) == sizeof(QEvent) ? 2 : 1);
    const std::unique_ptr<QObject> object(QObject::staticMetaObject.newInstance());
    QCOMPARE(more("object", sizeof(QObject)), 1);
    QCOMPARE(more("private", sizeof(QObjectPrivate)), 1);
}

QTEST_GUILESS_MAIN(tst_DropInStatistics)
#include "tst_dropinstatistics.moc"
