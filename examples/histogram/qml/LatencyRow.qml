// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// A row of the list of latencies, or its heading.
Item {
    id: line

    property bool heading: false
    property bool compact: false
    property bool current: false
    property bool chosen: false // its histograms are shown
    property real fraction: 0
    property color tint: Theme.events
    property string nameText
    property string threadText
    property string deliveredText
    property string otherText
    property var waitTexts: ["", "", ""] // p50, p99, worst
    property var runTexts: ["", "", ""]

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
            text: line.nameText
            color: line.heading ? Theme.mutedText : Theme.text
        }

        Cell {
            Layout.preferredWidth: 100
            visible: !line.compact
            horizontalAlignment: Text.AlignLeft
            elide: Text.ElideRight
            text: line.threadText
        }

        Cell {
            Layout.preferredWidth: 64
            visible: !line.compact
            text: line.deliveredText
        }

        Cell {
            Layout.preferredWidth: 50
            visible: !line.compact
            text: line.otherText
        }

        Repeater {
            model: 6

            Cell {
                required property int index

                Layout.preferredWidth: 58
                visible: !line.compact || index % 3 !== 0 // the medians need room
                text: index < 3 ? line.waitTexts[index] : line.runTexts[index - 3]
                color: line.heading ? Theme.mutedText : Theme.text
            }
        }
    }

    component Cell: PlainText {
        horizontalAlignment: Text.AlignRight
        verticalAlignment: Text.AlignVCenter
        color: Theme.mutedText
        font.pixelSize: 12
    }
}
