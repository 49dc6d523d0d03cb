// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The values of the bar under the pointer.
Rectangle {
    id: tip

    required property Histogram bars
    required property SizeClassModel model
    required property real plotWidth

    readonly property int index: bars.hoveredIndex
    readonly property var values: valuesAt(bars.revision, index)
    readonly property string spoken: qsTr("%1 bytes: %2 allocated, %3 freed, %4 of them remotely, %5 live")
        .arg(values.size ?? 0).arg(Format.count(values.allocated ?? 0)).arg(Format.count(values.freed ?? 0))
        .arg(Format.count(values.remote ?? 0)).arg(Format.count(values.live ?? 0))
    readonly property rect slot: slotAt(bars.revision, index)

    function valuesAt(revision: int, index: int) : var {
        return model.values(index)
    }

    function slotAt(revision: int, index: int) : rect {
        return bars.slotRect(index)
    }

    visible: index >= 0
    z: 1
    // Next to the bar, on the side that has room.
    x: bars.x + (slot.x + slot.width + 6 + width <= bars.width ? slot.x + slot.width + 6
                                                               : slot.x - width - 6)
    y: Math.max(0, bars.y + 4)
    width: grid.implicitWidth + 24
    height: grid.implicitHeight + 16
    radius: 8
    color: Theme.card
    border.color: Theme.border

    GridLayout {
        id: grid

        anchors.centerIn: parent
        columns: 2
        columnSpacing: 18
        rowSpacing: 1

        TipText {
            Layout.columnSpan: 2
            objectName: "tipTitle"
            text: qsTr("%1 bytes").arg(tip.values.size ?? "")
            color: Theme.text
            font.weight: Font.DemiBold
        }

        TipText { text: qsTr("Allocated") }
        TipValue { objectName: "tipAllocated"; value: tip.values.allocated ?? 0 }
        TipText { text: qsTr("Freed") }
        TipValue { objectName: "tipFreed"; value: tip.values.freed ?? 0 }
        TipText { text: qsTr("Freed remotely") }
        TipValue { objectName: "tipRemote"; value: tip.values.remote ?? 0 }
        TipText { text: qsTr("Live") }
        TipValue { objectName: "tipLive"; value: tip.values.live ?? 0 }
    }

    component TipText: PlainText {
        color: Theme.mutedText
        font.pixelSize: Theme.small
    }

    component TipValue: TipText {
        property real value

        Layout.alignment: Qt.AlignRight
        text: Format.count(value)
        color: Theme.text
    }
}
