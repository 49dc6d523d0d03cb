// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic

AbstractButton {
    id: toggle

    focusPolicy: Qt.TabFocus
    implicitWidth: 38
    implicitHeight: 22
    Accessible.role: Accessible.CheckBox
    Accessible.checkable: true
    Accessible.checked: checked
    Accessible.name: text

    contentItem: Item { }

    background: Rectangle {
        radius: height / 2
        color: toggle.checked ? Theme.accent : Theme.raised
        border.width: toggle.visualFocus ? 2 : 1
        border.color: toggle.visualFocus ? Theme.text : toggle.checked ? Theme.accent : Theme.border

        Rectangle {
            x: toggle.checked ? parent.width - width - 3 : 3
            anchors.verticalCenter: parent.verticalCenter
            width: 16
            height: 16
            radius: 8
            color: toggle.checked ? Theme.accentText : Theme.mutedText
        }
    }
}
