// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// A modal panel in front of the page. It is part of the scene, so that it scales with the rest of
// the window.
FocusScope {
    id: sheet

    default property alias content: holder.data
    property alias panel: holder

    signal closed()

    function open() {
        visible = true
        forceActiveFocus(Qt.PopupFocusReason)
    }

    function close() {
        if (!visible)
            return
        visible = false
        closed()
    }

    anchors.fill: parent
    visible: false
    z: 10
    Keys.onEscapePressed: close()
    // Other keys must not reach the page behind.
    Keys.onPressed: (event) => event.accepted = event.key !== Qt.Key_Tab
                                                && event.key !== Qt.Key_Backtab

    Rectangle {
        anchors.fill: parent
        color: Theme.scrim
    }

    MouseArea {
        anchors.fill: parent
        hoverEnabled: true
        onClicked: sheet.close()
        onWheel: (wheel) => wheel.accepted = true
    }

    Rectangle {
        id: holder

        radius: Theme.radius
        color: Theme.card
        border.color: Theme.border

        // Stops clicks inside the panel, so that they do not close it.
        MouseArea {
            anchors.fill: parent
            z: -1
        }
    }
}
