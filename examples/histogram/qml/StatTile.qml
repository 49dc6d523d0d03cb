// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

Card {
    id: tile

    required property string label
    required property string value
    property string shortLabel: label
    property bool compact: false

    Layout.fillWidth: true
    Layout.preferredWidth: 1 // all the same
    implicitHeight: column.implicitHeight + (compact ? 14 : 22)
    Accessible.role: Accessible.StaticText
    Accessible.name: label + " " + value

    Column {
        id: column

        anchors.verticalCenter: parent.verticalCenter
        anchors.left: parent.left
        anchors.right: parent.right
        anchors.margins: tile.compact ? 10 : 14
        spacing: 1

        Text {
            width: parent.width
            text: tile.compact ? tile.shortLabel : tile.label
            color: Theme.mutedText
            font.pixelSize: Theme.small
            elide: Text.ElideRight
        }

        Text {
            width: parent.width
            text: tile.value
            color: Theme.text
            font.pixelSize: tile.compact ? 17 : Theme.figure
            font.weight: Font.DemiBold
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: Theme.small
        }
    }
}
