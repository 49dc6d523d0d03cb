// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A JavaScript array that only grows: a log. A Return adds 100,000 entries.

#include "onreturn.h"

#include <QtCore/QMetaObject>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>

#include <memory>

static const char Log[] = R"(
import QtQml
QtObject {
    property var entries: []
    function append(count: int) {
        for (let i = 0; i < count; ++i)
            entries.push({ number: entries.length, level: 2, time: Date.now() })
    }
}
)";

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QQmlEngine engine;
    QQmlComponent component(&engine);
    component.setData(Log, QUrl(QStringLiteral("Log.qml")));
    const std::unique_ptr<QObject> log(component.create());
    if (!log) {
        std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
        return 1;
    }
    return growOnReturn([&log] { QMetaObject::invokeMethod(log.get(), "append", Q_ARG(int, 100000)); });
}
