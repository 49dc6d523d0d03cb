// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic

AbstractButton {
    id: button

    property alias shape: icon.shape
    property bool compact: false

    readonly property color tint: checked ? Theme.accent : Theme.mutedText

    focusPolicy: Qt.TabFocus
    implicitWidth: 64
    implicitHeight: compact ? 43 : 54
    Accessible.role: Accessible.PageTab
    Accessible.name: text

    contentItem: Item {
        PageIcon {
            id: icon

            anchors.horizontalCenter: parent.horizontalCenter
            y: button.compact ? 4 : 8
            color: button.tint
        }

        PlainText {
            anchors.horizontalCenter: parent.horizontalCenter
            anchors.bottom: parent.bottom
            anchors.bottomMargin: button.compact ? 2 : 6
            text: button.text
            color: button.checked ? Theme.text : Theme.mutedText
            font.pixelSize: Theme.tiny
            font.weight: button.checked ? Font.DemiBold : Font.Normal
        }
    }

    background: Rectangle {
        radius: 8
        color: button.checked ? Theme.accentFill : button.hovered ? Theme.hover : "transparent"
        border.width: button.visualFocus ? 2 : 0
        border.color: Theme.accent
    }
}
