// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// A row of a list, with a bar behind its cells, or the list's heading. Its children are the cells.
Item {
    id: line

    default property alias cells: layout.data
    property bool heading: false
    property bool compact: false
    property bool marked: false // the growth is shown
    property bool current: false
    property bool chosen: false // its details are shown
    property bool grew: false
    property real fraction: 0
    property color tint: Theme.border
    property alias spacing: layout.spacing

    // Of the cells that matter most, and of the growth.
    readonly property color strongColor: heading ? Theme.mutedText : Theme.text
    readonly property color growthColor: grew ? Theme.warning : Theme.mutedText
    readonly property int growthWeight: grew ? Font.DemiBold : Font.Normal

    implicitHeight: heading ? 20 : 26

    Rectangle {
        y: 2
        visible: !line.heading
        width: Math.max(3, line.width * line.fraction)
        height: parent.height - 4
        radius: 3
        color: Theme.faint(line.tint)
    }

    Rectangle {
        anchors.fill: parent
        visible: line.current || line.chosen
        radius: 4
        color: "transparent"
        border.width: line.current ? 2 : 1
        border.color: line.current ? Theme.accent : Theme.mutedText
    }

    RowLayout {
        id: layout

        anchors.fill: parent
        anchors.leftMargin: 6
        anchors.rightMargin: 4
        spacing: 8
    }
}
