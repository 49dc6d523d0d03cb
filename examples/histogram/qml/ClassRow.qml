// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// A row of the list of classes, or its heading.
Item {
    id: line

    property bool heading: false
    property bool compact: false
    property bool marked: false // the growth is shown
    property bool current: false
    property bool chosen: false // its holders are shown
    property bool grew: false
    property real fraction: 0
    property color tint: Theme.border
    property string titleText
    property string domainText
    property string numberText
    property string growthText
    property string bytesText
    property string shareText

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
        anchors.fill: parent
        anchors.leftMargin: 6
        anchors.rightMargin: 4
        spacing: 8

        Cell {
            Layout.fillWidth: true
            horizontalAlignment: Text.AlignLeft
            elide: Text.ElideMiddle
            text: line.titleText
            color: line.heading ? Theme.mutedText : Theme.text
        }

        Cell {
            Layout.preferredWidth: 50
            visible: !line.compact
            horizontalAlignment: Text.AlignLeft
            text: line.domainText
        }

        Cell {
            Layout.preferredWidth: 66
            text: line.numberText
            color: line.heading ? Theme.mutedText : Theme.text
        }

        Cell {
            Layout.preferredWidth: 66
            visible: line.marked
            text: line.growthText
            color: line.grew ? Theme.warning : Theme.mutedText
            font.weight: line.grew ? Font.DemiBold : Font.Normal
        }

        Cell {
            Layout.preferredWidth: 70
            text: line.bytesText
            color: line.heading ? Theme.mutedText : Theme.text
        }

        Cell {
            Layout.preferredWidth: 46
            visible: !line.compact
            text: line.shareText
        }
    }

    component Cell: PlainText {
        horizontalAlignment: Text.AlignRight
        verticalAlignment: Text.AlignVCenter
        color: Theme.mutedText
        font.pixelSize: 12
    }
}
