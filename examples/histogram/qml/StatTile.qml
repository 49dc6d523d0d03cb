// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// One value with a label and a note.
Card {
    id: tile

    required property string label
    required property string value
    property string note
    property bool compact: false
    property bool alert: false

    Layout.fillWidth: true
    Layout.preferredWidth: 1 // equal widths
    implicitHeight: column.implicitHeight + (compact ? 14 : 22)
    Accessible.role: Accessible.StaticText
    Accessible.name: label + " " + value + " " + note

    Column {
        id: column

        anchors.verticalCenter: parent.verticalCenter
        anchors.left: parent.left
        anchors.right: parent.right
        anchors.margins: tile.compact ? 10 : Theme.padding
        spacing: 1

        Caption {
            width: parent.width
            text: tile.label
            elide: Text.ElideRight
        }

        PlainText {
            width: parent.width
            text: tile.value
            color: tile.alert ? Theme.warning : Theme.text
            font.pixelSize: tile.compact ? 17 : Theme.display
            font.weight: Font.DemiBold
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: Theme.small
        }

        Caption {
            width: parent.width
            visible: text !== "" && !tile.compact
            text: tile.note
            elide: Text.ElideRight
        }
    }
}
