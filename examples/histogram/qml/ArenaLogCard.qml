// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// Changes of arenas: created, orphaned, adopted.
Card {
    id: card

    required property ArenaLog log

    clip: true

    ColumnLayout {
        anchors.fill: parent
        anchors.topMargin: 9
        anchors.bottomMargin: 8
        spacing: 8

        Title {
            Layout.leftMargin: Theme.padding
            text: qsTr("Activity")
        }

        ListView {
            id: list

            Layout.fillWidth: true
            Layout.fillHeight: true
            objectName: "arenaLog"
            clip: true
            cacheBuffer: 0 // no rows in advance: they would delay the removal of rows
            boundsBehavior: Flickable.StopAtBounds
            activeFocusOnTab: true
            model: card.log
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Arena activity")
            ScrollBar.vertical: ScrollBar { }
            Keys.onUpPressed: flick(0, 600)
            Keys.onDownPressed: flick(0, -600)

            delegate: Item {
                id: entry

                required property string time
                required property string kind
                required property string text

                width: ListView.view.width
                height: 24
                Accessible.role: Accessible.ListItem
                Accessible.name: time + " " + text

                Rectangle {
                    x: Theme.padding
                    anchors.verticalCenter: parent.verticalCenter
                    width: 3
                    height: 14
                    radius: 1
                    color: entry.kind === "orphaned" ? Theme.mutedText
                         : entry.kind === "adopted" ? Theme.accent : Theme.good
                }

                Caption {
                    id: when

                    x: Theme.padding + 10
                    anchors.verticalCenter: parent.verticalCenter
                    text: entry.time
                }

                PlainText {
                    anchors.left: when.right
                    anchors.leftMargin: 10
                    anchors.right: parent.right
                    anchors.rightMargin: Theme.padding
                    anchors.verticalCenter: parent.verticalCenter
                    text: entry.text
                    color: Theme.text
                    font.pixelSize: 12
                    elide: Text.ElideRight
                }
            }

            FocusFrame {
                anchors.margins: 0
            }
        }
    }

    Caption {
        anchors.centerIn: parent
        width: parent.width - 40
        visible: card.log.count === 0
        horizontalAlignment: Text.AlignHCenter
        wrapMode: Text.WordWrap
        text: qsTr("Shows when arenas are created, orphaned and adopted.")
    }
}
