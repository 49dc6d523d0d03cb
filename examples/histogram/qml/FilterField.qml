// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic

// A filter that applies while it is typed.
TextField {
    id: field

    property string misunderstood

    implicitWidth: 210
    implicitHeight: 30
    leftPadding: 10
    rightPadding: clear.visible ? 28 : 10
    placeholderText: qsTr("Filter (/)")
    placeholderTextColor: Theme.mutedText
    color: Theme.text
    selectionColor: Theme.accent
    selectedTextColor: Theme.accentText
    font.pixelSize: 12
    verticalAlignment: TextInput.AlignVCenter
    selectByMouse: true
    maximumLength: 100
    Accessible.name: qsTr("Filter")
    Accessible.description: qsTr("Sizes, such as 24, 16-64, 128-, >100; domains: event, object, private, heap; arenas: main, orphaned, adopted, #THREAD, or part of a thread number")

    background: Rectangle {
        radius: 8
        color: Theme.card
        border.width: field.activeFocus ? 2 : 1
        border.color: field.misunderstood ? Theme.warning
                                          : field.activeFocus ? Theme.accent : Theme.border
    }

    AbstractButton {
        id: clear

        objectName: "clearFilter"
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        visible: field.text !== ""
        width: 28
        height: parent.height
        focusPolicy: Qt.NoFocus
        Accessible.name: qsTr("Clear filter")
        onClicked: field.clear()

        contentItem: PlainText {
            text: "×"
            color: Theme.mutedText
            font.pixelSize: 16
            horizontalAlignment: Text.AlignHCenter
            verticalAlignment: Text.AlignVCenter
        }
    }
}
