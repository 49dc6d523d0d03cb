// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// A short label for a state.
Rectangle {
    id: chip

    property alias text: label.text
    property alias textColor: label.color

    visible: text !== ""
    implicitWidth: label.implicitWidth + 14
    implicitHeight: 18
    radius: 9
    color: Theme.raised

    PlainText {
        id: label

        anchors.centerIn: parent
        color: Theme.mutedText
        font.pixelSize: Theme.tiny
        font.weight: Font.DemiBold
    }
}
