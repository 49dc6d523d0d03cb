// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// A row of the list of call sites, or its heading.
Item {
    id: line

    property bool heading: false
    property bool compact: false
    property bool marked: false // the growth is shown
    property bool current: false
    property bool grew: false
    property real fraction: 0
    property string functionText
    property string callerText
    property string typeText
    property string inUseText
    property string allocatedText
    property string growthText
    property string shareText

    implicitHeight: heading ? 20 : 24

    Rectangle {
        y: 2
        visible: !line.heading
        width: Math.max(3, line.width * line.fraction)
        height: parent.height - 4
        radius: 3
        color: Theme.faint(Theme.heap)
    }

    Rectangle {
        anchors.fill: parent
        visible: line.current
        radius: 4
        color: "transparent"
        border.width: 2
        border.color: Theme.accent
    }

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: 6
        anchors.rightMargin: 4
        spacing: 10

        Cell {
            Layout.fillWidth: true
            Layout.preferredWidth: 5
            horizontalAlignment: Text.AlignLeft
            text: line.functionText
            color: line.heading ? Theme.mutedText : Theme.text
        }

        Cell {
            Layout.fillWidth: true
            Layout.preferredWidth: 4
            horizontalAlignment: Text.AlignLeft
            text: line.callerText
        }

        Cell {
            Layout.preferredWidth: 130
            visible: !line.compact
            horizontalAlignment: Text.AlignLeft
            text: line.typeText
        }

        Cell {
            Layout.preferredWidth: 64
            text: line.inUseText
            color: line.heading ? Theme.mutedText : Theme.text
        }

        Cell {
            Layout.preferredWidth: 64
            text: line.allocatedText
        }

        Cell {
            Layout.preferredWidth: 70
            visible: line.marked
            text: line.growthText
            color: line.grew ? Theme.warning : Theme.mutedText
            font.weight: line.grew ? Font.DemiBold : Font.Normal
        }

        Cell {
            Layout.preferredWidth: 44
            text: line.shareText
        }
    }

    component Cell: PlainText {
        horizontalAlignment: Text.AlignRight
        verticalAlignment: Text.AlignVCenter
        color: Theme.mutedText
        font.pixelSize: 12
        elide: Text.ElideRight
    }
}
