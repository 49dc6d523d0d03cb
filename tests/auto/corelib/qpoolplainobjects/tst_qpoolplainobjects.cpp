// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/threads.h"

#include <QtCore/QEvent>
#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QProperty>
#include <QtCore/private/qhooks_p.h>
#include <QtCore/private/qobject_p.h>
#include <QtTest/QTest>

#include <cstring>
#include <memory>
#include <thread>

// The fast paths of objects' constructor and destructors omit nothing, and no object takes them
// that must not: qpoolplainobjects_p.h.
class tst_QPoolPlainObjects : public QObject
{
    Q_OBJECT

private slots:
    void initialisesEveryFlag();
    void callsTheHooks();
    void belongsToItsThread();
    void keepsItsThread();
    void tellsConnectionsOfItsEnd();
    void clearsPointersToIt();
    void deletesItsChildren();
    void leavesItsParent();
    void deletesItsPostedEvents();
    void stopsItsTimers();
    void clearsItsBindings();
    void hasNoBindingsWhileDestroyed();
    void leavesTheListOfAnUnstartedThread();
    void tellsItsDynamicMetaObject();
    void tellsItsDeclarativeData();
};

namespace {

class ObjectOf : public QObject
{
public:
    explicit ObjectOf(QObjectPrivate &d)
        : QObject(d)
    {
    }
};

} // namespace

void tst_QPoolPlainObjects::initialisesEveryFlag()
{
    void *memory = ::operator new(sizeof(QObjectPrivate));
    memset(memory, 0xff, sizeof(QObjectPrivate));
    auto *d = ::new (memory) QObjectPrivate;
    const ObjectOf object(*d);
    QVERIFY(!d->isWidget);
    QVERIFY(!d->blockSig);
    QVERIFY(!d->wasDeleted);
    QVERIFY(!d->isDeletingChildren);
    QVERIFY(d->sendChildEvents);
    QVERIFY(d->receiveChildEvents);
    QVERIFY(!d->isWindow);
    QVERIFY(!d->deleteLaterCalled);
    QVERIFY(!d->isQuickItem);
    QVERIFY(!d->willBeWidget);
    QVERIFY(!d->wasWidget);
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    QVERIFY(!d->receiveParentEvents);
#endif
}

namespace {

int added;
int removed;

} // namespace

void tst_QPoolPlainObjects::callsTheHooks()
{
    const auto add = std::exchange(
            qtHookData[QHooks::AddQObject],
            quintptr(QHooks::AddQObjectCallback([](QObject *) { ++added; })));
    const auto remove = std::exchange(
            qtHookData[QHooks::RemoveQObject],
            quintptr(QHooks::RemoveQObjectCallback([](QObject *) { ++removed; })));
    added = removed = 0;
    delete new QObject;
    qtHookData[QHooks::AddQObject] = add;
    qtHookData[QHooks::RemoveQObject] = remove;
    QCOMPARE(added, 1);
    QCOMPARE(removed, 1);
}

void tst_QPoolPlainObjects::belongsToItsThread()
{
    QCOMPARE(QObject().thread(), thread());
    QThread *first = nullptr, *second = nullptr, *current = nullptr;
    std::thread([&] {
        // Before there is anything of Qt's in this thread, and then.
        first = QObject().thread();
        second = QObject().thread();
        current = QThread::currentThread();
    }).join();
    QVERIFY(current);
    QVERIFY(current != thread());
    QCOMPARE(first, current);
    QCOMPARE(second, current);
}

// A thread that Qt did not start is known to Qt until the last object that belongs to it is gone.
void tst_QPoolPlainObjects::keepsItsThread()
{
    bool gone = false;
    std::unique_ptr<QObject> last;
    std::thread([&] {
        // A connection belongs to the thread of its receiver, and keeps that.
        connect(
                QThread::currentThread(), &QObject::destroyed, this, [&gone] { gone = true; },
                Qt::DirectConnection);
        for (int i = 0; i < 10; ++i)
            last.reset(new QObject);
    }).join();
    QVERIFY(!gone);
    last.reset();
    QVERIFY(gone);
}

void tst_QPoolPlainObjects::tellsConnectionsOfItsEnd()
{
    auto *object = new QObject;
    bool told = false;
    connect(object, &QObject::destroyed, this, [&] { told = true; });
    delete object;
    QVERIFY(told);
}

void tst_QPoolPlainObjects::clearsPointersToIt()
{
    const QPointer<QObject> pointer = new QObject;
    delete pointer;
    QVERIFY(!pointer);
}

void tst_QPoolPlainObjects::deletesItsChildren()
{
    auto *object = new QObject;
    const QPointer<QObject> child = new QObject(object);
    delete object;
    QVERIFY(!child);
}

namespace {

class Parent : public QObject
{
public:
    int added = 0;
    int removed = 0;

protected:
    void childEvent(QChildEvent *event) override
    {
        added += event->added();
        removed += event->removed();
    }
};

} // namespace

void tst_QPoolPlainObjects::leavesItsParent()
{
    Parent parent;
    auto *object = new QObject(&parent);
    QCOMPARE(parent.children(), QObjectList { object });
    QCOMPARE(parent.added, 1);
    delete object;
    QVERIFY(parent.children().isEmpty());
    QCOMPARE(parent.removed, 1);
}

void tst_QPoolPlainObjects::deletesItsPostedEvents()
{
    struct Event : QEvent
    {
        explicit Event(bool &gone)
            : QEvent(User)
            , gone(gone)
        {
        }
        ~Event() override { gone = true; }
        bool &gone;
    };

    bool gone = false;
    auto *object = new QObject;
    QCoreApplication::postEvent(object, new Event(gone));
    delete object;
    QVERIFY(gone);
    QCoreApplication::sendPostedEvents();
}

void tst_QPoolPlainObjects::stopsItsTimers()
{
    auto *object = new QObject;
    QVERIFY(object->startTimer(1000));
    auto *dispatcher = QAbstractEventDispatcher::instance();
    QCOMPARE(dispatcher->registeredTimers(object).size(), 1);
    delete object;
    QVERIFY(dispatcher->registeredTimers(object).isEmpty());
}

namespace {

// Reports what is left of the bindings when the private part is destroyed, which comes last.
class ToldPrivate : public QObjectPrivate
{
public:
    struct Rest
    {
        bool empty = false;
        bool valid = true;
    };

    explicit ToldPrivate(Rest &rest)
        : m_rest(rest)
    {
    }
    ~ToldPrivate() override
    {
        m_rest.empty = bindingStorage.isEmpty();
        m_rest.valid = bindingStorage.isValid();
    }

private:
    Rest &m_rest;
};

class Bindable : public QObject
{
public:
    explicit Bindable(QObjectPrivate &d)
        : QObject(d)
    {
    }

    QBindable<int> bindableValue() { return &m_value; }

private:
    Q_OBJECT_BINDABLE_PROPERTY(Bindable, int, m_value)
};

} // namespace

void tst_QPoolPlainObjects::clearsItsBindings()
{
    QProperty<int> source(1);
    const auto witness = std::make_shared<int>(0);
    ToldPrivate::Rest rest;
    auto *object = new Bindable(*new ToldPrivate(rest));
    object->bindableValue().setBinding([&source, witness] { return source.value(); });
    QCOMPARE(object->bindableValue().value(), 1);
    QCOMPARE(witness.use_count(), 2);
    delete object;
    QVERIFY(rest.empty);
    QVERIFY(!rest.valid);
    QCOMPARE(witness.use_count(), 1);
    source.setValue(2);
}

void tst_QPoolPlainObjects::hasNoBindingsWhileDestroyed()
{
    ToldPrivate::Rest rest;
    auto *d = new ToldPrivate(rest);
    QVERIFY(d->bindingStorage.isValid());
    delete new ObjectOf(*d);
    QVERIFY(rest.empty);
    QVERIFY(!rest.valid);
}

// The thread keeps a list of such objects.
void tst_QPoolPlainObjects::leavesTheListOfAnUnstartedThread()
{
    QThread thread;
    auto *object = new QObject;
    object->moveToThread(&thread);
    const auto *storage = &QObjectPrivate::get(object)->bindingStorage;
    QVERIFY(!storage->isValid());
    delete object;
    // In the same memory, so that an entry left in the list would be seen here.
    auto next = std::make_unique<QObject>();
    QCOMPARE(&QObjectPrivate::get(next.get())->bindingStorage, storage);
    const auto *status = storage->status({});
    thread.start();
    thread.quit();
    QVERIFY(thread.wait());
    QCOMPARE(storage->status({}), status);
}

void tst_QPoolPlainObjects::tellsItsDynamicMetaObject()
{
    struct MetaObject : QDynamicMetaObjectData
    {
        void objectDestroyed(QObject *object) override { destroyed = object; }
#if QT_VERSION >= QT_VERSION_CHECK(6, 9, 0)
        const QMetaObject *toDynamicMetaObject(QObject *) const override
#else
        QMetaObject *toDynamicMetaObject(QObject *) override
#endif
        {
            return const_cast<QMetaObject *>(&QObject::staticMetaObject);
        }
        int metaCall(QObject *, QMetaObject::Call, int id, void **) override
        {
            return id;
        }
        QObject *destroyed = nullptr;
    };

    MetaObject meta;
    auto *object = new QObject;
    QObjectPrivate::get(object)->metaObject = &meta;
    delete object;
    QCOMPARE(meta.destroyed, object);
}

void tst_QPoolPlainObjects::tellsItsDeclarativeData()
{
    static QObject *told;
    told = nullptr;
    const auto former = std::exchange(
            QAbstractDeclarativeData::destroyed,
            [](QAbstractDeclarativeData *, QObject *object) { told = object; });
    QAbstractDeclarativeData data;
    auto *object = new QObject;
    QObjectPrivate::get(object)->declarativeData = &data;
    delete object;
    QAbstractDeclarativeData::destroyed = former;
    QCOMPARE(told, object);
}

QTEST_GUILESS_MAIN(tst_QPoolPlainObjects)
#include "tst_qpoolplainobjects.moc"
