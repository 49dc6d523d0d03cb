// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/countedobjects.h"

#include <memory>

// QMetaType and QMetaObject make objects and destroy them, and not always both.
class tst_QPoolMetaType : public QObject
{
    Q_OBJECT

private slots:
    void cleanup();

    void createsAndDestroysInAnyCombination_data();
    void createsAndDestroysInAnyCombination();
    void constructsInGivenMemory();
    void metaObjectsCreateInThePool();
};

void tst_QPoolMetaType::cleanup()
{
    QCOMPARE(instances, 0);
}

namespace {

using Pair = QObject *(*)();

template <class Type>
QObject *create()
{
    return static_cast<Type *>(QMetaType::fromType<Type>().create());
}

template <class Type>
QObject *allocate()
{
    return new Type;
}

} // namespace

void tst_QPoolMetaType::createsAndDestroysInAnyCombination_data()
{
    QTest::addColumn<QMetaType>("type");
    QTest::addColumn<Pair>("make");
    QTest::addColumn<bool>("pooled");
    QTest::addColumn<bool>("destroy"); // rather than delete

    const auto plain = QMetaType::fromType<Plain>();
    const auto aligned = QMetaType::fromType<OverAligned>();
    QTest::newRow("create, destroy") << plain << &create<Plain> << false << true;
    QTest::newRow("create, delete") << plain << &create<Plain> << false << false;
    QTest::newRow("new, destroy") << plain << &allocate<Plain> << true << true;
    QTest::newRow("new, delete") << plain << &allocate<Plain> << true << false;
    QTest::newRow("aligned: create, destroy") << aligned << &create<OverAligned> << false << true;
    QTest::newRow("aligned: create, delete") << aligned << &create<OverAligned> << false << false;
    QTest::newRow("aligned: new, destroy") << aligned << &allocate<OverAligned> << true << true;
    QTest::newRow("aligned: new, delete") << aligned << &allocate<OverAligned> << true << false;
}

void tst_QPoolMetaType::createsAndDestroysInAnyCombination()
{
    QFETCH(QMetaType, type);
    QFETCH(Pair, make);
    QFETCH(bool, pooled);
    QFETCH(bool, destroy);

    const PoolSnapshot before = snapshot();
    QObject *object = make();
    QVERIFY(object);
    QCOMPARE(instances, 1);
    QCOMPARE(isPooled(object), pooled);
    QCOMPARE(reinterpret_cast<quintptr>(object) % quintptr(type.alignOf()), quintptr(0));
    QCOMPARE(snapshot().total("object").live - before.total("object").live, qint64(pooled));
    if (destroy)
        type.destroy(object);
    else
        delete object;
    QCOMPARE(instances, 0);
    compareLive(before);
}

void tst_QPoolMetaType::constructsInGivenMemory()
{
    const PoolSnapshot before = snapshot();
    alignas(Plain) char place[sizeof(Plain)];
    const auto type = QMetaType::fromType<Plain>();
    QCOMPARE(type.construct(place), static_cast<void *>(place));
    QCOMPARE(instances, 1);
    type.destruct(place);
    QCOMPARE(snapshot().total("object"), before.total("object"));
}

void tst_QPoolMetaType::metaObjectsCreateInThePool()
{
    const PoolSnapshot before = snapshot();
    std::unique_ptr<QObject> object(Plain::staticMetaObject.newInstance());
    std::unique_ptr<QObject> aligned(OverAligned::staticMetaObject.newInstance());
    std::unique_ptr<QObject> qts(QObject::staticMetaObject.newInstance());
    QVERIFY(isPooled(object.get()) && isPooled(aligned.get()) && isPooled(qts.get()));
    object.reset();
    aligned.reset();
    qts.reset();
    compareLive(before);
}

QTEST_GUILESS_MAIN(tst_QPoolMetaType)
#include "tst_qpoolmetatype.moc"
