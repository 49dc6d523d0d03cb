// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// Why there are no figures, and what to do about it.
Item {
    id: empty

    required property PoolMonitor monitor

    Column {
        anchors.centerIn: parent
        width: Math.min(parent.width - 48, 460)
        spacing: 14

        Row {
            anchors.horizontalCenter: parent.horizontalCenter
            spacing: 6

            Repeater {
                model: [22, 44, 32, 14]

                Rectangle {
                    required property int modelData

                    anchors.bottom: parent.bottom
                    width: 14
                    height: modelData
                    radius: 3
                    color: Theme.border
                }
            }
        }

        Text {
            objectName: "emptyTitle"
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: {
                switch (empty.monitor.state) {
                case PoolMonitor.Missing: return qsTr("This QtCore has no pool")
                case PoolMonitor.Disabled: return qsTr("The pool stands aside")
                case PoolMonitor.Damaged: return qsTr("The figures cannot be read")
                default: return ""
                }
            }
            color: Theme.text
            font.pixelSize: 20
            font.weight: Font.DemiBold
            wrapMode: Text.WordWrap
        }

        Text {
            objectName: "emptyText"
            width: parent.width
            horizontalAlignment: Text.AlignHCenter
            text: {
                switch (empty.monitor.state) {
                case PoolMonitor.Missing:
                    return qsTr("The program runs on a QtCore without the pool allocator. Start it on the patched one:")
                case PoolMonitor.Disabled:
                    return qsTr("Memory comes from the general allocator. Start the program again without this setting:")
                case PoolMonitor.Damaged:
                    return empty.monitor.error
                default:
                    return ""
                }
            }
            color: Theme.mutedText
            font.pixelSize: Theme.normal
            lineHeight: 1.2
            wrapMode: Text.WordWrap
        }

        Rectangle {
            anchors.horizontalCenter: parent.horizontalCenter
            visible: command.text !== ""
            width: command.implicitWidth + 28
            height: command.implicitHeight + 16
            radius: 8
            color: Theme.raised

            TextEdit {
                id: command

                objectName: "emptyCommand"
                anchors.centerIn: parent
                text: empty.monitor.state === PoolMonitor.Missing ? "./qpool run qpool-histogram"
                    : empty.monitor.state === PoolMonitor.Disabled ? "QT_POOL_ALLOCATOR=0" : ""
                color: Theme.text
                selectionColor: Theme.accent
                selectedTextColor: Theme.accentText
                font.family: "monospace"
                font.pixelSize: Theme.normal
                readOnly: true
                selectByMouse: true
            }
        }
    }
}
