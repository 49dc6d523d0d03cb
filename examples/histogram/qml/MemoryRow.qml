// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// A row of MemoryModel.
Item {
    id: row

    required property int kind
    required property string title
    required property real bytes
    required property real share
    required property int group
    required property bool known
    property bool current: false
    property bool compact: false
    property color tint: Theme.border

    readonly property bool owner: kind === MemoryModel.Owner
    readonly property bool strong: kind === MemoryModel.Sum || kind === MemoryModel.Heading
    readonly property bool number: kind !== MemoryModel.Heading && kind !== MemoryModel.Note

    objectName: "memoryRow"
    implicitHeight: kind === MemoryModel.Note ? name.implicitHeight + 8
                  : kind === MemoryModel.Heading ? 32 : 23
    Accessible.role: Accessible.ListItem
    Accessible.name: number ? qsTr("%1: %2 %3").arg(title).arg(known ? "" : qsTr("at least")).arg(Format.bytes(bytes))
                            : title

    Rectangle {
        y: 2
        visible: row.owner
        width: Math.max(3, row.width * row.share)
        height: parent.height - 4
        radius: 3
        color: Theme.faint(row.tint)
    }

    Rectangle {
        width: parent.width
        height: 1
        visible: row.kind === MemoryModel.Sum
        color: Theme.border
    }

    FocusFrame {
        visible: row.current
    }

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: 6
        anchors.rightMargin: 4
        anchors.topMargin: row.kind === MemoryModel.Heading ? 8 : 0
        spacing: 10

        PlainText {
            id: name

            Layout.fillWidth: true
            text: row.title
            color: row.owner || row.strong ? Theme.text : Theme.mutedText
            font.pixelSize: 12
            font.weight: row.strong ? Font.DemiBold : Font.Normal
            elide: Text.ElideRight
            wrapMode: row.kind === MemoryModel.Note ? Text.WordWrap : Text.NoWrap
            maximumLineCount: row.kind === MemoryModel.Note ? 3 : 1
        }

        PlainText {
            objectName: "memoryNumber"
            visible: row.number
            text: row.known ? "" : qsTr("estimate: at least")
            color: Theme.warning
            font.pixelSize: 12
        }

        PlainText {
            Layout.preferredWidth: 96
            visible: row.number && !row.compact
            horizontalAlignment: Text.AlignRight
            text: Format.count(row.bytes)
            color: Theme.mutedText
            font.pixelSize: 12
        }

        PlainText {
            Layout.preferredWidth: 70
            visible: row.number
            horizontalAlignment: Text.AlignRight
            text: Format.bytes(row.bytes)
            color: Theme.text
            font.pixelSize: 12
            font.weight: row.strong ? Font.DemiBold : Font.Normal
        }

        PlainText {
            Layout.preferredWidth: 46
            visible: row.number
            horizontalAlignment: Text.AlignRight
            text: row.owner || row.kind === MemoryModel.Sum ? Format.share(row.share) : ""
            color: Theme.mutedText
            font.pixelSize: 12
        }
    }
}
