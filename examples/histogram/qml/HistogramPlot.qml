// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// The bars with their axes. Narrow slots have fewer labels.
FocusScope {
    id: plot

    required property string title
    required property SizeClassModel sizeClasses
    required property color barColor
    required property color paleColor
    required property ViewSettings settings

    readonly property real slotWidth: bars.width / Math.max(1, sizeClasses.count)
    // Most sizes of the heap have four digits, in the other domains at most the last one.
    readonly property int labelWidth: sizeClasses.count > 0 && sizeClasses.values(sizeClasses.count - 1).size > 1024 ? 34 : 27
    readonly property int labelStride: Math.max(1, Math.ceil(labelWidth / slotWidth))
    readonly property var labelled: placeLabels(bars.revision, sizeClasses.count, labelStride)

    function barRect(revision: int, index: int) : rect {
        return bars.barRect(index)
    }

    function barValue(revision: int, index: int) : real {
        return bars.barValue(index)
    }

    // Selects the slots that have a label. If there is no room for all, size classes in use
    // have priority, and others fill the gaps. If there is not even room for those in use, as in
    // the heap, every n-th slot has a label: a choice by use would move labels all the time.
    function placeLabels(revision: int, count: int, stride: int) : var {
        const used = sizeClasses.usedRows()
        if (used.length * stride > count) {
            let every = 1
            while (every < stride)
                every *= 2 // eight classes per doubling: these sizes are round numbers
            return Array.from({ length: count }, (_, index) => index % every === every - 1)
        }
        const shown = new Array(count).fill(false)
        const place = (index) => {
            const first = Math.max(0, index - stride + 1)
            if (!shown.slice(first, index + stride).includes(true))
                shown[index] = true
        }
        used.forEach(place)
        for (let i = 0; i < count; ++i)
            place(i)
        return shown
    }

    function select(index: int) {
        bars.hoveredIndex = Math.max(0, Math.min(sizeClasses.count - 1, index))
    }

    activeFocusOnTab: true
    Accessible.role: Accessible.Graphic
    Accessible.name: title
    Accessible.description: bars.hoveredIndex < 0
        ? qsTr("%1 live, %2 allocated. Press the left or right arrow key to select a bar.").arg(Format.count(sizeClasses.live))
                                                                          .arg(Format.count(sizeClasses.allocated))
        : tip.spoken
    Keys.onLeftPressed: select(bars.hoveredIndex < 0 ? sizeClasses.count - 1 : bars.hoveredIndex - 1)
    Keys.onRightPressed: select(bars.hoveredIndex + 1)
    Keys.onEscapePressed: bars.hoveredIndex = -1
    onActiveFocusChanged: if (!activeFocus) bars.hoveredIndex = -1

    FocusFrame { }

    Repeater {
        model: bars.ticks

        PlainText {
            required property var modelData

            x: bars.x - width - 8
            y: bars.y + modelData.y - height / 2
            text: Format.compact(modelData.value)
            color: Theme.mutedText
            font.pixelSize: Theme.small
        }
    }

    Histogram {
        id: bars

        objectName: "bars"
        anchors.fill: parent
        anchors.leftMargin: 46
        anchors.topMargin: 16
        anchors.bottomMargin: 20
        model: plot.sizeClasses
        cumulative: plot.settings.cumulative
        logarithmic: plot.settings.logarithmic
        animationDuration: plot.settings.animated ? 160 : 0
        liveColor: plot.barColor
        allocatedColor: plot.paleColor
        gridColor: Theme.grid
        hoverColor: Theme.hover
        tickSpacing: 26
    }

    HoverHandler {
        id: hover

        target: bars
        onPointChanged: bars.hoveredIndex = bars.indexAt(point.position.x - bars.x)
        onHoveredChanged: if (!hovered) bars.hoveredIndex = -1
    }

    PlainText {
        anchors.right: bars.left
        anchors.rightMargin: 8
        anchors.bottom: parent.bottom
        text: qsTr("bytes")
        color: Theme.mutedText
        font.pixelSize: Theme.small
    }

    Repeater {
        model: plot.sizeClasses

        Item {
            id: slot

            required property int index
            required property int size
            readonly property rect bar: plot.barRect(bars.revision, index)
            readonly property real value: plot.barValue(bars.revision, index)

            x: bars.x + index * plot.slotWidth
            width: plot.slotWidth
            height: plot.height

            PlainText {
                anchors.horizontalCenter: parent.horizontalCenter
                y: bars.y + slot.bar.y - height - 1
                visible: slot.value > 0 && plot.slotWidth >= 24
                text: Format.tiny(slot.value)
                color: Theme.text
                font.pixelSize: Theme.tiny
            }

            PlainText {
                anchors.horizontalCenter: parent.horizontalCenter
                anchors.bottom: parent.bottom
                visible: plot.labelled[slot.index] ?? false
                text: slot.size
                color: slot.index === bars.hoveredIndex ? Theme.text : Theme.mutedText
                font.pixelSize: plot.slotWidth < 32 ? Theme.tiny : Theme.small
                font.weight: slot.index === bars.hoveredIndex ? Font.DemiBold : Font.Normal
            }
        }
    }

    PlainText {
        anchors.centerIn: bars
        visible: text !== ""
        text: plot.sizeClasses.count === 0 ? qsTr("No size class matches the filter")
                                       : plot.sizeClasses.allocated + plot.sizeClasses.live === 0
                                         ? qsTr("Nothing allocated yet") : ""
        color: Theme.mutedText
        font.pixelSize: Theme.normal
    }

    BarTip {
        id: tip

        objectName: "barTip"
        bars: bars
        model: plot.sizeClasses
        plotWidth: plot.width
    }
}
