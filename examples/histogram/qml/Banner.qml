// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// A message above the page, with one action.
Rectangle {
    id: banner

    property alias text: label.text
    property alias action: button.text
    property bool bad: false

    signal triggered()

    implicitHeight: Math.max(46, label.implicitHeight + 20)
    radius: Theme.radius
    color: bad ? Theme.warningFill : Theme.accentFill
    Accessible.role: Accessible.AlertMessage
    Accessible.name: text

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.padding
        anchors.rightMargin: 8
        spacing: 12

        PlainText {
            id: label

            Layout.fillWidth: true
            objectName: "bannerText"
            color: banner.bad ? Theme.warning : Theme.text
            font.pixelSize: Theme.normal
            wrapMode: Text.WordWrap
        }

        PushButton {
            id: button

            objectName: "bannerButton"
            visible: text !== ""
            onClicked: banner.triggered()
        }
    }
}
