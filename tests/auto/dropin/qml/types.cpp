// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "types.h"

#include <QtQml/qqml.h>

using namespace QPOOL_QML_MODULE;

extern "C" Q_DECL_EXPORT void registerTypes()
{
    qmlRegisterType<Thing>(QT_STRINGIFY(QPOOL_QML_MODULE), 1, 0, "Thing");
    qmlRegisterType<LargeThing>(QT_STRINGIFY(QPOOL_QML_MODULE), 1, 0, "LargeThing");
    qmlRegisterSingletonType<Maker>(QT_STRINGIFY(QPOOL_QML_MODULE), 1, 0, "Maker",
        [](QQmlEngine *, QJSEngine *) -> QObject * { return new Maker; });
}

extern "C" Q_DECL_EXPORT int liveThings()
{
    return Thing::instances;
}

extern "C" Q_DECL_EXPORT QObject *makeThing()
{
    return new Thing;
}
