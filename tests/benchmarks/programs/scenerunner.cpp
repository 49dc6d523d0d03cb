// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "scenerunner.h"

#include "processcounters.h"
#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qeventloop.h>
#include <QtCore/qhashfunctions.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qtimer.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace std::chrono_literals;

QList<SceneType> &sceneTypes()
{
    static QList<SceneType> types;
    return types;
}

void prepareScenes()
{
    QHashSeed::setDeterministicGlobalSeed();
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    // The allocations of a graphics driver are not those of the program.
    if (!qEnvironmentVariableIsSet("QT_QUICK_BACKEND"))
        qputenv("QT_QUICK_BACKEND", "software");
}

namespace {

const SceneType *sceneNamed(const QString &name)
{
    for (const SceneType &type : std::as_const(sceneTypes())) {
        if (name == QLatin1String(type.name))
            return &type;
    }
    return nullptr;
}

// Programs wait most of the time: the work of an allocator when the event loop is about to block is
// part of its cost. Returns the time it took.
qint64 waitForEvents(std::chrono::milliseconds time = 20ms)
{
    const qint64 begin = ProcessCounters::now().wallNs;
    QEventLoop loop;
    QTimer::singleShot(time, &loop, &QEventLoop::quit);
    loop.exec();
    return ProcessCounters::now().wallNs - begin;
}

void handleEvents()
{
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

int run(const SceneType &type, int turns)
{
    QJsonArray resident;
    qint64 peak = 0, waited = 0;
    const ProcessCounters before = ProcessCounters::now();
    std::unique_ptr<Scene> scene = type.make();
    for (int i = 0, quarter = 1; i < turns; ++i) {
        scene->turn(i);
        handleEvents();
        if (4 * (i + 1) >= quarter * turns) {
            waited += waitForEvents();
            const Memory memory = Memory::now();
            resident.append(memory.resident);
            peak = std::max(peak, memory.peak);
            quarter = 4 * (i + 1) / turns + 1;
        }
    }
    scene.reset();
    handleEvents();
    const ProcessCounters after = ProcessCounters::now();
    waitForEvents(1s); // allocators that give memory back by age have done so
    const Memory memory = Memory::now();

    const QJsonObject result {
        { QStringLiteral("scene"), QLatin1String(type.name) },
        { QStringLiteral("turns"), turns },
        { QStringLiteral("processor_ns"), after.processorNs - before.processorNs },
        { QStringLiteral("wall_ns"), after.wallNs - before.wallNs - waited },
        { QStringLiteral("faults"), after.faults - before.faults },
        // Since the process began, dynamic linking and all.
        { QStringLiteral("process_ns"), after.processorNs },
        { QStringLiteral("process_faults"), after.faults },
        { QStringLiteral("peak"), std::max(peak, memory.peak) },
        { QStringLiteral("final"), memory.resident },
        // After each quarter of the turns.
        { QStringLiteral("resident"), resident },
    };
    std::puts(QJsonDocument(result).toJson(QJsonDocument::Compact).constData());
    return 0;
}

} // namespace

int runScenes()
{
    const QStringList arguments = QCoreApplication::arguments().mid(1);
    if (arguments == QStringList(QStringLiteral("--list"))) {
        for (const SceneType &type : std::as_const(sceneTypes()))
            std::puts(type.name);
        return 0;
    }
    const SceneType *type = sceneNamed(arguments.value(0));
    int turns = type ? type->turns : 0;
    if (arguments.size() == 3 && arguments.at(1) == QStringLiteral("--turns"))
        turns = arguments.at(2).toInt();
    else if (arguments.size() != 1)
        turns = 0;
    if (turns < 1) {
        std::fputs("usage: SCENE [--turns N], or --list, which prints the scenes' names\n", stderr);
        return 2;
    }
    return run(*type, turns);
}
