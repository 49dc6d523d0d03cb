// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic

// A row of exclusive options.
Rectangle {
    id: segmented

    property string label
    property list<string> options
    property int current: 0
    property bool small: false

    signal chosen(int index)

    implicitWidth: row.implicitWidth + 4
    implicitHeight: small ? 24 : 30
    radius: 8
    color: Theme.raised
    Accessible.role: Accessible.Grouping
    Accessible.name: label

    Row {
        id: row

        anchors.centerIn: parent

        Repeater {
            model: segmented.options

            AbstractButton {
                id: option

                required property int index
                required property string modelData

                text: modelData
                checked: segmented.current === index
                focusPolicy: Qt.TabFocus
                leftPadding: segmented.small ? 7 : 10
                rightPadding: leftPadding
                implicitWidth: Math.ceil(widest.width) + leftPadding + rightPadding
                implicitHeight: segmented.implicitHeight - 4
                Accessible.role: Accessible.RadioButton
                Accessible.name: segmented.label ? segmented.label + ": " + text : text
                Accessible.checked: checked
                onClicked: segmented.chosen(index)

                // The width of the checked state, so that a choice does not move the other options.
                TextMetrics {
                    id: widest

                    text: option.text
                    font.pixelSize: label.font.pixelSize
                    font.weight: Font.DemiBold
                }

                contentItem: PlainText {
                    id: label

                    text: option.text
                    color: option.checked ? Theme.text : Theme.mutedText
                    font.pixelSize: segmented.small ? Theme.small : 12
                    font.weight: option.checked ? Font.DemiBold : Font.Normal
                    horizontalAlignment: Text.AlignHCenter
                    verticalAlignment: Text.AlignVCenter
                }

                background: Rectangle {
                    radius: 6
                    color: option.checked ? Theme.card : option.hovered ? Theme.hover : "transparent"
                    border.width: option.visualFocus ? 2 : 0
                    border.color: Theme.accent
                }
            }
        }
    }
}
