// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// A title, an explanation and a command, in the middle of a page that has nothing else to show.
Item {
    id: view

    // Begins the object names of the texts.
    required property string subject
    // Has a title, a text and a command.
    required property var message
    property bool illustrated: false
    default property alias actions: actionRow.data

    Accessible.role: Accessible.AlertMessage
    Accessible.name: message.title + ". " + message.text + " " + message.command

    ColumnLayout {
        anchors.centerIn: parent
        width: Math.min(parent.width - 48, 480)
        spacing: 14

        Row {
            Layout.alignment: Qt.AlignHCenter
            spacing: 6
            visible: view.illustrated

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

        PlainText {
            Layout.fillWidth: true
            objectName: view.subject + "Title"
            horizontalAlignment: Text.AlignHCenter
            text: view.message.title
            color: Theme.text
            font.pixelSize: Theme.heading
            font.weight: Font.DemiBold
            wrapMode: Text.WordWrap
        }

        PlainText {
            Layout.fillWidth: true
            objectName: view.subject + "Text"
            horizontalAlignment: Text.AlignHCenter
            text: view.message.text
            color: Theme.mutedText
            font.pixelSize: Theme.normal
            lineHeight: 1.2
            wrapMode: Text.Wrap
        }

        CommandText {
            Layout.alignment: Qt.AlignHCenter
            objectName: view.subject + "Command"
            text: view.message.command
        }

        RowLayout {
            id: actionRow

            Layout.alignment: Qt.AlignHCenter
            spacing: 8
            visible: children.length > 0
        }
    }
}
