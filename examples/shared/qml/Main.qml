// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Window
import QPool.SharedView

Window {
    id: window

    required property EntryModel entries

    width: 720
    height: 540
    visible: true
    title: qsTr("A map in shared memory")
    color: dark ? "#0f1318" : "#f3f5f8"

    // Qt 6.4 has no property for the colour scheme: a dark window colour means dark.
    readonly property SystemPalette systemPalette: SystemPalette { }
    readonly property bool dark: systemPalette.window.hslLightness < 0.5
    readonly property color text: dark ? "#e8edf4" : "#17202c"
    readonly property color muted: dark ? "#9aa6b8" : "#566375"
    readonly property color card: dark ? "#181e26" : "#ffffff"
    readonly property color bar: dark ? "#6fa3ff" : "#2463d9"

    function bytes(count: real) : string {
        return count >= 1048576 ? qsTr("%1 MiB").arg((count / 1048576).toFixed(1))
                                : qsTr("%1 KiB").arg((count / 1024).toFixed(1))
    }

    PlainText {
        id: heading
        x: 20
        y: 16
        text: qsTr("%n entries", "", window.entries.count)
        color: window.text
        font.pixelSize: 22
        font.bold: true
    }
    PlainText {
        anchors { right: parent.right; rightMargin: 20; baseline: heading.baseline }
        text: qsTr("%1 changes by %n writers", "", window.entries.writers)
                  .arg(window.entries.changes.toLocaleString(Qt.locale(), "f", 0))
        color: window.muted
        font.pixelSize: 13
    }

    ListView {
        id: list
        anchors { fill: parent; topMargin: 56; bottomMargin: 44; leftMargin: 20; rightMargin: 20 }
        clip: true
        spacing: 4
        model: window.entries
        visible: window.entries.problem === ""
        delegate: Rectangle {
            id: row
            required property string name
            required property real value
            required property real changes
            required property real writer
            width: list.width
            height: 32
            radius: 6
            color: window.card
            PlainText {
                x: 12
                anchors.verticalCenter: parent.verticalCenter
                text: row.name
                color: window.text
                font.pixelSize: 14
            }
            Rectangle {
                x: 110
                anchors.verticalCenter: parent.verticalCenter
                width: (parent.width - 340) * row.value / 100
                height: 14
                radius: 3
                color: window.bar
            }
            PlainText {
                x: parent.width - 220
                anchors.verticalCenter: parent.verticalCenter
                text: row.value.toFixed(1)
                color: window.text
                font.pixelSize: 13
            }
            PlainText {
                anchors { right: parent.right; rightMargin: 12; verticalCenter: parent.verticalCenter }
                text: qsTr("%1 ×, process %2").arg(row.changes).arg(row.writer)
                color: window.muted
                font.pixelSize: 12
            }
        }
    }
    PlainText {
        anchors.centerIn: parent
        width: parent.width - 80
        visible: window.entries.problem !== ""
        text: window.entries.problem
        wrapMode: Text.Wrap
        horizontalAlignment: Text.AlignHCenter
        color: window.muted
        font.pixelSize: 16
    }
    PlainText {
        anchors { left: parent.left; bottom: parent.bottom; leftMargin: 20; bottomMargin: 14 }
        visible: window.entries.problem === ""
        text: qsTr("%1 of %2 in use").arg(window.bytes(window.entries.usedBytes))
                                     .arg(window.bytes(window.entries.segmentBytes))
              + (window.entries.deaths > 0
                     ? qsTr(" · %1 processes died while writing").arg(window.entries.deaths) : "")
        color: window.muted
        font.pixelSize: 12
    }
}
