// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QPool.Histogram

AbstractButton {
    id: button

    required property Workload workload

    text: workload.title
    checked: workload.running
    focusPolicy: Qt.TabFocus
    implicitHeight: 38
    Accessible.role: Accessible.CheckBox
    Accessible.checkable: true
    Accessible.checked: checked
    Accessible.description: workload.description
    onClicked: workload.running = !workload.running

    contentItem: Item {
        Text {
            id: title

            anchors.left: parent.left
            anchors.right: count.left
            anchors.rightMargin: 8
            y: 2
            text: button.text
            color: Theme.text
            font.pixelSize: Theme.normal
            elide: Text.ElideRight
        }

        Text {
            anchors.left: title.left
            anchors.right: title.right
            anchors.top: title.bottom
            text: button.workload.description
            color: Theme.mutedText
            font.pixelSize: Theme.small
            elide: Text.ElideRight
        }

        Text {
            id: count

            anchors.right: track.left
            anchors.rightMargin: 12
            anchors.verticalCenter: parent.verticalCenter
            text: button.workload.operations > 0 ? Format.compact(button.workload.operations) : ""
            color: Theme.mutedText
            font.pixelSize: Theme.normal
        }

        Rectangle {
            id: track

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            width: 36
            height: 20
            radius: 10
            color: button.checked ? Theme.accent : Theme.raised
            border.width: button.visualFocus ? 2 : 1
            border.color: button.visualFocus ? Theme.text
                                             : button.checked ? Theme.accent : Theme.border

            Rectangle {
                x: button.checked ? parent.width - width - 3 : 3
                anchors.verticalCenter: parent.verticalCenter
                width: 14
                height: 14
                radius: 7
                color: button.checked ? Theme.accentText : Theme.mutedText
            }
        }
    }
}
