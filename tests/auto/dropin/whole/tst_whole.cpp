// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <QtCore/QMetaType>
#include <QtCore/QPoint>
#include <QtCore/QProcess>
#include <QtTest/QTest>

// A program whose memory all comes from the pool.
class tst_Whole : public QObject
{
    Q_OBJECT

public:
    Q_INVOKABLE void take(int number, double, QPoint) { m_sum += number; }

private slots:
    void initTestCase();
    void metaTypesLoseNothing_data();
    void metaTypesLoseNothing();
    void queuedArgumentsAreFreed();
    void objectsByMetaTypeAreFreed();
    void startsProgramsWithoutTheFront();

private:
    qint64 live(const char *domain) const { return Pool::snapshot().total(domain).live; }

    qint64 m_sum = 0;
};

// The memory of the test itself and of its snapshots.
constexpr qint64 Few = 200;
constexpr int Many = 10'000;

// Needs no destructor, and has one.
struct Trivial
{
    char text[24];
};
struct Counted
{
    Counted() { ++count; }
    Counted(const Counted &) { ++count; }
    ~Counted() { --count; }
    static inline int count = 0;
    char text[40] = {};
};
struct alignas(64) Aligned
{
    char text[64];
};
Q_DECLARE_METATYPE(Trivial)
Q_DECLARE_METATYPE(Counted)
Q_DECLARE_METATYPE(Aligned)

void tst_Whole::initTestCase()
{
    if (!qEnvironmentVariableIsSet("LD_PRELOAD"))
        QSKIP("There is no malloc front that goes with this QtCore, or this was not run by ctest.");
    QVERIFY(Pool::isActive());
    QVERIFY2(live("heap") > 0, "the malloc front is not in the process");
}

void tst_Whole::metaTypesLoseNothing_data()
{
    QTest::addColumn<QMetaType>("type");
    QTest::newRow("int") << QMetaType::fromType<int>();
    QTest::newRow("trivial") << QMetaType::fromType<Trivial>();
    QTest::newRow("counted") << QMetaType::fromType<Counted>();
    QTest::newRow("aligned") << QMetaType::fromType<Aligned>();
    QTest::newRow("QString") << QMetaType::fromType<QString>();
}

void tst_Whole::metaTypesLoseNothing()
{
    QFETCH(QMetaType, type);
    const qint64 before = live("heap");
    for (int i = 0; i < Many; ++i)
        type.destroy(type.create());
    QVERIFY2(live("heap") < before + Few, qPrintable(QString::number(live("heap") - before)));
    QCOMPARE(Counted::count, 0);
}

void tst_Whole::queuedArgumentsAreFreed()
{
    const qint64 before = live("heap");
    for (int i = 0; i < Many; ++i) {
        QMetaObject::invokeMethod(this, "take", Qt::QueuedConnection, Q_ARG(int, 1),
                                  Q_ARG(double, 1.5), Q_ARG(QPoint, QPoint(1, 2)));
    }
    QCoreApplication::sendPostedEvents();
    QCOMPARE(m_sum, Many);
    QVERIFY2(live("heap") < before + Few, qPrintable(QString::number(live("heap") - before)));
}

// From the heap here, and from the pool's own classes where a plugin is built with the pool.
void tst_Whole::objectsByMetaTypeAreFreed()
{
    const qint64 heap = live("heap");
    const qint64 privates = live("private");
    const QMetaType type = QMetaType::fromType<QObject>();
    for (int i = 0; i < Many; ++i) {
        type.destroy(type.create());
        delete QObject::staticMetaObject.newInstance();
    }
    QVERIFY(live("heap") < heap + Few);
    QVERIFY(live("private") < privates + Few);
}

// Programs that a Qt program starts run without the front.
void tst_Whole::startsProgramsWithoutTheFront()
{
    QProcess process;
    process.start("cat", { "/proc/self/maps" });
    QVERIFY2(process.waitForFinished(), qPrintable(process.errorString()));
    const QByteArray maps = process.readAllStandardOutput();
    QVERIFY(maps.contains("libc.so"));
    QVERIFY(!maps.contains("libqpool-malloc"));
}

QTEST_GUILESS_MAIN(tst_Whole)
#include "tst_whole.moc"
