// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/countedobjects.h"

#include <QtCore/qapplicationstatic.h>
#include <QtCore/QCoreApplication>
#include <QtCore/QPointer>
#include <QtCore/QSharedPointer>

#include <memory>

// Owners, static holders, parents and base classes: that what programs do with events and objects
// compiles, and that memory goes back where it is from.
class tst_QPoolCompatibility : public QObject
{
    Q_OBJECT

private slots:
    void cleanup();

    void sharedPointersLoseNoMemory();
    void smartPointersLoseNoMemory();
    void globalStaticsStayInStaticMemory();
    void deletesThroughEitherOfTwoBases();
    void deletesThroughAnInterface();
    void parentsDeleteTheirChildren();
};

void tst_QPoolCompatibility::cleanup()
{
    QCOMPARE(instances, 0);
}

void tst_QPoolCompatibility::sharedPointersLoseNoMemory()
{
    const PoolSnapshot before = snapshot();
    {
        // One block from the heap for the count and the object.
        const auto created = QSharedPointer<Plain>::create();
        QVERIFY(!isPooled(created.data()));
        QCOMPARE(snapshot().total("private").live, before.total("private").live + 1);

        const QSharedPointer<QObject> taken(new Plain);
        QVERIFY(isPooled(taken.data()));
        const QSharedPointer<QObject> later(new Plain, &QObject::deleteLater);
        QVERIFY(isPooled(later.data()));
        const QWeakPointer<QObject> weak = taken;
        QCOMPARE(weak.toStrongRef(), taken);

        const auto aligned = QSharedPointer<OverAligned>::create();
        QVERIFY(aligned);
        const auto event = QSharedPointer<SizedEvent<64>>::create();
        QVERIFY(!isPooled(event.data()));
    }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    compareLive(before);
}

void tst_QPoolCompatibility::smartPointersLoseNoMemory()
{
    const PoolSnapshot before = snapshot();
    {
        const auto unique = std::make_unique<Plain>();
        QVERIFY(isPooled(unique.get()));
        const QScopedPointer<QObject> scoped(new OverAligned);
        QVERIFY(isPooled(scoped.data()));
        const auto shared = std::make_shared<Plain>();
        QVERIFY(!isPooled(shared.get()));
        const QPointer<QObject> guarded = unique.get();
        QVERIFY(guarded);
    }
    compareLive(before);
}

Q_GLOBAL_STATIC(QObject, globalObject)
Q_GLOBAL_STATIC(OverAligned, globalAligned)
Q_APPLICATION_STATIC(QObject, applicationObject)

void tst_QPoolCompatibility::globalStaticsStayInStaticMemory()
{
    // The holder is in static memory, the object's private part in the pool; the test's exit code shows
    // that they end properly.
    const PoolSnapshot before = snapshot();
    globalObject()->setObjectName("global");
    applicationObject()->setObjectName("application");
    QVERIFY(globalAligned()->objectName().isEmpty());
    QVERIFY(!isPooled(globalObject()) && !isPooled(applicationObject())
            && !isPooled(globalAligned()));
    const PoolSnapshot after = snapshot();
    QCOMPARE(after.total("object"), before.total("object"));
    // The three private parts, and the connection by which the application ends its static, which
    // has two chunks.
    QCOMPARE(after.total("private").live, before.total("private").live + 5);
    --instances; // globalAligned stays
}

namespace {

// Both bases have an operator new; the class says which one it uses.
class Both : public QObject, public QEvent
{
public:
    Both() : QEvent(QEvent::User) { ++instances; }
    ~Both() override { --instances; }

    using QObject::operator new;
    using QObject::operator delete;
};

class Interface
{
public:
    virtual ~Interface() = default;
};

class Implementation : public Interface, public Plain
{
};

} // namespace

void tst_QPoolCompatibility::deletesThroughEitherOfTwoBases()
{
    const PoolSnapshot before = snapshot();
    for (int base = 0; base < 3; ++base) {
        auto *both = new Both;
        QVERIFY(isPooled(both));
        QCOMPARE(snapshot().total("object").live, before.total("object").live + 1);
        QCOMPARE(snapshot().total("event"), before.total("event"));
        if (base == 0)
            delete static_cast<QObject *>(both);
        else if (base == 1)
            delete static_cast<QEvent *>(both);
        else
            delete both;
        QCOMPARE(instances, 0);
        compareLive(before);
    }
    // As an event the object is delivered, and deleted through QEvent.
    QCoreApplication::postEvent(this, new Both);
    QCoreApplication::sendPostedEvents(this);
    compareLive(before);
}

void tst_QPoolCompatibility::deletesThroughAnInterface()
{
    const PoolSnapshot before = snapshot();
    Interface *interface = new Implementation;
    QVERIFY(isPooled(interface));
    delete interface;
    QObject *object = new Implementation;
    delete object;
    QCOMPARE(instances, 0);
    compareLive(before);
}

void tst_QPoolCompatibility::parentsDeleteTheirChildren()
{
    const PoolSnapshot before = snapshot();
    {
        QObject parent;
        for (int i = 0; i < 100; ++i) {
            (new Plain)->setParent(&parent);
            (new OverAligned)->setParent(&parent);
            new SizedObject<2000>(&parent); // the heap's
        }
        QCOMPARE(instances, 200);
        QCOMPARE(snapshot().total("object").live, before.total("object").live + 200);
    }
    QCOMPARE(instances, 0);
    compareLive(before);
}

QTEST_GUILESS_MAIN(tst_QPoolCompatibility)
#include "tst_qpoolcompatibility.moc"
