// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// A command that can be selected and copied.
Rectangle {
    id: box

    property alias text: edit.text

    visible: text !== ""
    implicitWidth: edit.implicitWidth + 28
    implicitHeight: edit.implicitHeight + 16
    radius: 8
    color: Theme.raised

    TextEdit {
        id: edit

        anchors.centerIn: parent
        color: Theme.text
        selectionColor: Theme.accent
        selectedTextColor: Theme.accentText
        font.family: "monospace"
        font.pixelSize: Theme.normal
        readOnly: true
        selectByMouse: true
        Accessible.name: qsTr("Command")
    }
}
