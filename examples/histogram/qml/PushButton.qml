// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic

AbstractButton {
    id: button

    property string hint
    property bool highlighted: false

    focusPolicy: Qt.TabFocus
    leftPadding: 12
    rightPadding: 12
    implicitWidth: contentItem.implicitWidth + leftPadding + rightPadding
    implicitHeight: 30
    Accessible.name: text
    Accessible.description: hint

    contentItem: PlainText {
        text: button.text
        color: button.highlighted ? Theme.accentText : Theme.text
        opacity: button.enabled ? 1 : 0.5
        font.pixelSize: 12
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
    }

    background: Rectangle {
        radius: 8
        color: button.highlighted ? Theme.accent
                                  : button.down ? Theme.border
                                  : button.hovered ? Theme.hover : Theme.card
        border.width: button.visualFocus ? 2 : 1
        border.color: button.visualFocus || button.highlighted ? Theme.accent : Theme.border
    }
}
