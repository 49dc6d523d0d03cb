// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// A message that disappears after a few seconds: the result of an action.
Rectangle {
    id: toast

    property bool bad: false
    property alias text: label.text

    function show(message: string, failed: bool) {
        text = message
        bad = failed
        visible = true
        timer.restart()
    }

    objectName: "toast"
    visible: false
    z: 20
    width: Math.min(label.implicitWidth + 32, parent.width - 40)
    height: label.implicitHeight + 20
    radius: 8
    color: bad ? Theme.warningFill : Theme.goodFill
    border.color: bad ? Theme.warning : Theme.good
    Accessible.role: Accessible.AlertMessage
    Accessible.name: text

    PlainText {
        id: label

        anchors.centerIn: parent
        width: Math.min(implicitWidth, toast.parent.width - 72)
        color: toast.bad ? Theme.warning : Theme.good
        font.pixelSize: Theme.normal
        wrapMode: Text.WrapAnywhere
        horizontalAlignment: Text.AlignHCenter
    }

    Timer {
        id: timer

        interval: toast.bad ? 8000 : 4000
        onTriggered: toast.visible = false
    }

    TapHandler {
        onTapped: toast.visible = false
    }
}
