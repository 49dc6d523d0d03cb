// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLibrary>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>
#include <QtTest/QTest>

#include <memory>

// The distribution's QtQml on the pooled QtCore. QML types are placed into memory that QtQml took
// from the heap, with room for its own data behind them, and given back by QQmlElement; what
// C++ makes and hands to QML comes from where its class says.
class tst_Qml : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void engineFreesObjectsOfBothKinds_data();
    void engineFreesObjectsOfBothKinds();

private:
    struct Types
    {
        void (*registerTypes)();
        int (*live)();
        QObject *(*make)();
    };
    Types load(const QString &name);

    Types m_stock;
    Types m_marked;
};

// The private part, where QObject keeps it: behind its vtable.
static const void *privateOf(const QObject *object)
{
    return reinterpret_cast<void *const *>(object)[1];
}

tst_Qml::Types tst_Qml::load(const QString &name)
{
    QLibrary library(qEnvironmentVariable("QPOOL_QML_TYPES") + '/' + name);
    Types types;
    types.registerTypes = reinterpret_cast<void (*)()>(library.resolve("registerTypes"));
    types.live = reinterpret_cast<int (*)()>(library.resolve("liveThings"));
    types.make = reinterpret_cast<QObject *(*)()>(library.resolve("makeThing"));
    if (!types.registerTypes || !types.live || !types.make)
        qFatal("%s", qPrintable(library.errorString()));
    types.registerTypes();
    return types;
}

void tst_Qml::initTestCase()
{
    if (qEnvironmentVariableIsEmpty("QPOOL_QML_TYPES"))
        QSKIP("QPOOL_QML_TYPES names no folder: run this with ctest.");
    QVERIFY(Pool::isActive());
    m_stock = load("qmltypes_stock.so");
    m_marked = load("qmltypes_marked.so");
}

void tst_Qml::engineFreesObjectsOfBothKinds_data()
{
    QTest::addColumn<QString>("module");
    QTest::addColumn<bool>("marked");
    QTest::newRow("stock") << "Stock" << false;
    QTest::newRow("marked") << "Marked" << true;
}

void tst_Qml::engineFreesObjectsOfBothKinds()
{
    QFETCH(QString, module);
    QFETCH(bool, marked);
    const Types &types = marked ? m_marked : m_stock;
    const QByteArray source = "import QtQml\nimport " + module.toUtf8() + " 1.0\n" + R"(
QtObject {
    id: root
    property Thing thing: Thing { number: 1; objectName: "first" }
    property LargeThing large: LargeThing { number: 2 }
    property Component maker: Thing {}
    property QtObject kept: Maker.make()
    function makeMany() {
        for (let i = 0; i < 100; ++i) {
            maker.createObject(root, { number: i })
            maker.createObject(null)
            Maker.make()
        }
    }
    function destroyOne() { maker.createObject(root).destroy() }
}
)";
    {
        QQmlEngine engine;
        QQmlComponent component(&engine);
        component.setData(source, QUrl());
        for (int round = 0; round < 3; ++round) {
            const std::unique_ptr<QObject> root(component.create());
            QVERIFY2(root, qPrintable(component.errorString()));

            auto *thing = root->property("thing").value<QObject *>();
            QVERIFY(thing);
            QCOMPARE(thing->property("number").toInt(), 1);
            // QtQml's memory, whatever the class defines; the private part is QtCore's.
            QVERIFY(!Pool::owns(thing));
            QVERIFY(!Pool::owns(root->property("large").value<QObject *>()));
            QVERIFY(Pool::owns(privateOf(thing)));
            QCOMPARE(Pool::owns(root->property("kept").value<QObject *>()), marked);

            QVERIFY(QMetaObject::invokeMethod(root.get(), "makeMany"));
            QVERIFY(QMetaObject::invokeMethod(root.get(), "destroyOne"));
            engine.collectGarbage();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            // Given over to QML, and back: deleted from here.
            QQmlEngine::setObjectOwnership(thing, QQmlEngine::CppOwnership);
            delete thing;
            QObject *ours = types.make();
            QCOMPARE(Pool::owns(ours), marked);
            QQmlEngine::setObjectOwnership(ours, QQmlEngine::JavaScriptOwnership);
            engine.newQObject(ours);
            engine.collectGarbage();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(types.live(), 0);
}

QTEST_GUILESS_MAIN(tst_Qml)
#include "tst_qml.moc"
