// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The same with QML: loaders that are made, load an item, and are never emptied.

#include <QtCore/QSocketNotifier>
#include <QtGui/QGuiApplication>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>

#include <cstdio>
#include <cstdlib>
#include <memory>

static const char Scene[] = R"(
import QtQuick
Item {
    Component { id: page; Text { text: "a page" } }
    Component { id: loader; Loader { sourceComponent: page } }
    property Component pages: loader
    function open(parent, count) {
        for (let i = 0; i < count; ++i)
            pages.createObject(parent);
    }
}
)";

int main(int argc, char **argv)
{
    QGuiApplication app(argc, argv);
    QQmlEngine engine;
    QQmlComponent component(&engine);
    component.setData(Scene, QUrl());
    const std::unique_ptr<QObject> scene(component.create());
    if (!scene) {
        std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
        return 1;
    }
    QSocketNotifier input(0, QSocketNotifier::Read);
    const auto say = [] {
        std::puts("ready");
        std::fflush(stdout);
    };
    QObject::connect(&input, &QSocketNotifier::activated, &app, [&] {
        char line[64];
        if (!std::fgets(line, sizeof(line), stdin)) {
            QCoreApplication::quit();
            return;
        }
        QMetaObject::invokeMethod(scene.get(), "open",
                                  Q_ARG(QVariant, QVariant::fromValue(scene.get())),
                                  Q_ARG(QVariant, std::atoi(line)));
        QMetaObject::invokeMethod(&app, say, Qt::QueuedConnection);
    });
    QMetaObject::invokeMethod(&app, say, Qt::QueuedConnection);
    std::setvbuf(stdin, nullptr, _IONBF, 0);
    return app.exec();
}
