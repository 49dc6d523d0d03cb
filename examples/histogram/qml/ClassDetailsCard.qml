// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// Who holds the objects of one class, some of them, and which code allocated its blocks.
Card {
    id: card

    required property HolderModel holders

    signal closed()

    Accessible.role: Accessible.Grouping
    Accessible.name: title.text

    ColumnLayout {
        anchors.fill: parent
        anchors.margins: 8
        spacing: 2

        RowLayout {
            Layout.fillWidth: true
            Layout.leftMargin: 6
            spacing: 10

            PlainText {
                id: title

                Layout.fillWidth: true
                objectName: "holdersTitle"
                text: card.holders.title
                color: Theme.text
                font.pixelSize: Theme.normal
                font.weight: Font.DemiBold
                elide: Text.ElideMiddle
            }

            Caption {
                visible: !card.holders.ready
                text: qsTr("Reading …")
            }

            PushButton {
                objectName: "closeHolders"
                implicitHeight: 24
                text: qsTr("Close")
                hint: qsTr("Esc")
                onClicked: card.closed()
            }
        }

        ListView {
            id: list

            Layout.fillWidth: true
            Layout.fillHeight: true
            objectName: "holderList"
            clip: true
            activeFocusOnTab: true
            boundsBehavior: Flickable.StopAtBounds
            model: card.holders
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Holders")
            ScrollBar.vertical: ScrollBar {
                policy: size < 1 ? ScrollBar.AlwaysOn : ScrollBar.AlwaysOff
            }

            delegate: Item {
                id: row

                required property int kind
                required property string number
                required property string text
                required property string facts
                required property int index

                readonly property bool heading: kind === HolderModel.Heading
                readonly property bool note: kind === HolderModel.Note
                readonly property int indent: kind === HolderModel.Parent ? 28
                                            : kind === HolderModel.Object ? 12 : 0

                objectName: "holderRow"
                width: ListView.view.width - 12
                height: heading ? 30 : note ? label.implicitHeight + 6 : 20
                Accessible.role: heading ? Accessible.Heading : Accessible.ListItem
                Accessible.name: number + " " + text + " " + facts

                Rectangle {
                    anchors.fill: parent
                    visible: list.activeFocus && row.ListView.isCurrentItem
                    radius: 4
                    color: "transparent"
                    border.width: 2
                    border.color: Theme.accent
                }

                RowLayout {
                    anchors.fill: parent
                    anchors.topMargin: row.heading ? 8 : 0
                    anchors.leftMargin: 6 + row.indent
                    anchors.rightMargin: 4
                    spacing: 12

                    PlainText {
                        Layout.preferredWidth: 76
                        visible: row.kind === HolderModel.Count
                        horizontalAlignment: Text.AlignRight
                        text: row.number
                        color: Theme.text
                        font.pixelSize: 12
                    }

                    PlainText {
                        id: label

                        Layout.fillWidth: true
                        text: row.facts ? row.text + "   " + row.facts : row.text
                        color: row.note || row.kind === HolderModel.Parent ? Theme.mutedText : Theme.text
                        font.pixelSize: 12
                        font.weight: row.heading ? Font.DemiBold : Font.Normal
                        elide: row.note ? Text.ElideNone : Text.ElideMiddle
                        wrapMode: row.note ? Text.WordWrap : Text.NoWrap
                    }
                }
            }
        }
    }
}
