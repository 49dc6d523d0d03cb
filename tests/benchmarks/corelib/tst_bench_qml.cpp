// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A scene of QML items, created and destroyed.

#include "measure.h"

#include <QtGui/QGuiApplication>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>

using namespace Bench;

class tst_Bench_Qml : public QObject
{
    Q_OBJECT
private slots:
    void qml_data();
    void qml();
};

void tst_Bench_Qml::qml_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addRow("objects") << QByteArray(R"(
        import QtQml
        QtObject {
            property list<QtObject> children: [
                Timer { }, Timer { }, Timer { }, Timer { }, Timer { },
                QtObject { }, QtObject { }, QtObject { }, QtObject { }, QtObject { }
            ]
        })");
    QTest::addRow("items") << QByteArray(R"(
        import QtQuick
        Item {
            Repeater {
                model: 10
                Rectangle {
                    width: 10; height: width
                    MouseArea { anchors.fill: parent }
                }
            }
        })");
}

void tst_Bench_Qml::qml()
{
    QFETCH(QByteArray, source);
    QQmlEngine engine;
    QQmlComponent component(&engine);
    component.setData(source, QUrl());
    QVERIFY2(component.isReady(), qPrintable(component.errorString()));
    // An operation is a scene.
    measure(10, [&] {
        for (int i = 0; i < 10; ++i)
            delete component.create();
    });
}

QTEST_MAIN(tst_Bench_Qml)

#include "tst_bench_qml.moc"
