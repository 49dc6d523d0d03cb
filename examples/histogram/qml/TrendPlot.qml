// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// A chart of the last minutes with its axes, and the values at the pointer.
FocusScope {
    id: plot

    required property PoolMonitor monitor
    required property string title
    // Each { quantity, name, color }, in drawing order.
    required property var lines
    required property int seconds
    property bool stacked: false
    property bool bytes: false
    property string unit: ""

    function write(value: real) : string {
        return bytes ? Format.bytes(value) : Format.compact(value) + unit
    }

    function pointAt(revision: int, x: real) : var {
        return trend.at(x)
    }

    function ago(seconds: real) : string {
        if (seconds < 1)
            return qsTr("now")
        if (seconds < 120)
            return qsTr("%1 s ago").arg(Math.round(seconds))
        return qsTr("%1 min ago").arg(Format.compact(seconds / 60))
    }

    function step(pixels: real) {
        const from = trend.hoveredX < 0 ? trend.width : trend.hoveredX
        trend.hoveredX = Math.max(0, Math.min(trend.width, from + pixels))
    }

    activeFocusOnTab: true
    Accessible.role: Accessible.Graphic
    Accessible.name: title
    Accessible.description: tip.visible ? tip.spoken : ""
    Keys.onLeftPressed: step(-12)
    Keys.onRightPressed: step(12)
    Keys.onEscapePressed: trend.hoveredX = -1
    onActiveFocusChanged: if (!activeFocus) trend.hoveredX = -1

    FocusFrame { }

    Repeater {
        model: trend.ticks

        Caption {
            required property var modelData

            x: trend.x - width - 8
            y: trend.y + modelData.y - height / 2
            text: plot.write(modelData.value)
        }
    }

    Trend {
        id: trend

        objectName: "trend"
        anchors.fill: parent
        anchors.leftMargin: 60
        anchors.topMargin: 8
        anchors.bottomMargin: 20
        monitor: plot.monitor
        seconds: plot.seconds
        stacked: plot.stacked
        bytes: plot.bytes
        gridColor: Theme.grid
        hoverColor: Theme.mutedText
        tickSpacing: 32
        series: plot.lines.map(line => ({ quantity: line.quantity, color: line.color,
                                          fill: Theme.faint(line.color) }))
    }

    Caption {
        anchors.left: trend.left
        anchors.bottom: parent.bottom
        text: plot.seconds < 120 ? qsTr("%1 s ago").arg(plot.seconds)
                                 : qsTr("%1 min ago").arg(plot.seconds / 60)
    }

    Caption {
        anchors.right: trend.right
        anchors.bottom: parent.bottom
        text: qsTr("now")
    }

    HoverHandler {
        target: trend
        onPointChanged: trend.hoveredX = point.position.x - trend.x
        onHoveredChanged: if (!hovered) trend.hoveredX = -1
    }

    Rectangle {
        id: tip

        readonly property var point: plot.pointAt(trend.revision, trend.hoveredX)
        readonly property string spoken: visible ? when.text + ": " + plot.lines.map((line, i) =>
            line.name + " " + plot.write(point.values[i])).join(", ") : ""

        objectName: "trendTip"
        visible: trend.hoveredX >= 0 && point.values !== undefined
        z: 1
        x: trend.x + (trend.hoveredX + 10 + width <= trend.width ? trend.hoveredX + 10
                                                                 : Math.max(0, trend.hoveredX - 10 - width))
        y: trend.y
        width: column.implicitWidth + 20
        height: column.implicitHeight + 14
        radius: 8
        color: Theme.card
        border.color: Theme.border

        Column {
            id: column

            anchors.centerIn: parent
            spacing: 2

            PlainText {
                id: when

                text: tip.visible ? plot.ago(tip.point.seconds) : ""
                color: Theme.text
                font.pixelSize: Theme.small
                font.weight: Font.DemiBold
            }

            Repeater {
                model: plot.lines.length

                Legend {
                    required property int index

                    swatch: plot.lines[index].color
                    text: tip.visible ? plot.lines[index].name + "  " + plot.write(tip.point.values[index] ?? 0)
                                      : ""
                }
            }
        }
    }
}
