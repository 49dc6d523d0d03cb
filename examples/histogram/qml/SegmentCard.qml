// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// The shared memory segments of this machine, of all processes.
Card {
    id: card

    required property SegmentModel segments

    readonly property int rowHeight: 40
    readonly property int visibleRows: 3

    implicitHeight: title.height + list.height + 30

    Title {
        id: title

        x: Theme.padding
        y: 10
        text: qsTr("Shared memory")
    }

    ListView {
        id: list

        objectName: "segmentList"
        anchors.top: title.bottom
        anchors.topMargin: 8
        anchors.left: parent.left
        anchors.right: parent.right
        anchors.leftMargin: Theme.padding
        anchors.rightMargin: Theme.padding
        height: Math.min(card.segments.count, card.visibleRows) * card.rowHeight
        clip: true
        activeFocusOnTab: contentHeight > height
        boundsBehavior: Flickable.StopAtBounds
        model: card.segments
        Accessible.role: Accessible.List
        Accessible.name: title.text
        ScrollBar.vertical: ScrollBar { }

        delegate: ColumnLayout {
            id: row

            required property string name
            required property string problem
            required property string lock
            required property real bytes
            required property real usedBytes
            required property real usedBlocks
            required property real deaths

            readonly property string summary: problem ? problem
                : qsTr("%1 of %2 · %3 blocks · lock: %4").arg(Format.bytes(usedBytes))
                    .arg(Format.bytes(bytes)).arg(Format.count(usedBlocks)).arg(lock)
                + (deaths > 0 ? qsTr(" · %1 died holding the lock").arg(Format.count(deaths)) : "")

            objectName: "segment_" + name
            width: ListView.view.width - 12
            height: card.rowHeight
            spacing: 3
            Accessible.role: Accessible.ListItem
            Accessible.name: name + " " + summary

            RowLayout {
                spacing: 12

                PlainText {
                    text: row.name
                    color: row.problem ? Theme.mutedText : Theme.text
                    font.pixelSize: Theme.normal
                    elide: Text.ElideRight
                    Layout.maximumWidth: row.width / 2
                }

                Caption {
                    Layout.fillWidth: true
                    objectName: "summary"
                    horizontalAlignment: Text.AlignRight
                    text: row.summary
                    color: row.problem || row.deaths > 0 ? Theme.warning : Theme.mutedText
                    elide: Text.ElideRight
                }
            }

            ShareBar {
                Layout.fillWidth: true
                implicitHeight: 6
                visible: !row.problem
                parts: [
                    { value: row.usedBytes, color: Theme.accent },
                    { value: Math.max(0, row.bytes - row.usedBytes), color: Theme.raised }
                ]
            }

            Item {
                Layout.fillHeight: true
            }
        }
    }
}
