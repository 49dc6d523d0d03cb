// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "scenechurn.h"

#include <QtCore/qelapsedtimer.h>
#include <QtQml/qqmlcomponent.h>
#include <QtQml/qqmlengine.h>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto SceneTick = 20ms;
constexpr Workload::Rates ItemRates { 10, 200, 2000 };
constexpr qsizetype ScenePopulation = 60;
constexpr qint64 ShareOfTick = 4; // milliseconds

constexpr char Delegate[] = R"(
import QtQuick

Item {
    id: row

    property bool lit: false
    signal picked()

    width: 200
    height: 32

    Rectangle {
        anchors.fill: parent
        color: row.lit ? "steelblue" : "whitesmoke"
    }

    TapHandler {
        onTapped: row.picked()
    }

    Timer {
        interval: 500
        onTriggered: row.lit = !row.lit
    }
}
)";

} // namespace

struct SceneChurn::Scene
{
    QQmlEngine engine;
    QQmlComponent delegate { &engine };
    QList<QObject *> rows;

    ~Scene() { qDeleteAll(rows); }
};

SceneChurn::SceneChurn(QObject *parent)
    : Workload(
            { u"scene"_s, tr("QML scene"),
              tr("Creates and deletes rows of a list. In a whole program, the rows are in the heap; on "
                 "QtCore alone, only their private parts come from the pool."),
              tr("rows") },
            ItemRates, parent)
{
    m_timer.setInterval(SceneTick);
    connect(&m_timer, &QTimer::timeout, this, &SceneChurn::tick);
}

SceneChurn::~SceneChurn()
{
    stop();
}

void SceneChurn::doStart()
{
    m_scene = std::make_unique<Scene>();
    m_scene->delegate.setData(Delegate, {});
    m_timer.start();
}

void SceneChurn::tick()
{
    QElapsedTimer clock;
    clock.start();
    for (int i = due(SceneTick, &m_carry); i > 0 && clock.elapsed() < ShareOfTick; --i) {
        QObject *row = m_scene->delegate.create();
        if (!row) {
            qWarning("The QML scene cannot be created: %s",
                     qPrintable(m_scene->delegate.errorString().simplified()));
            m_timer.stop();
            return;
        }
        m_scene->rows.append(row);
        if (m_scene->rows.size() > ScenePopulation)
            delete m_scene->rows.takeFirst();
        countOperations();
    }
}

void SceneChurn::doHold()
{
    m_timer.stop();
}

void SceneChurn::doStop()
{
    m_timer.stop();
    m_scene.reset();
}
