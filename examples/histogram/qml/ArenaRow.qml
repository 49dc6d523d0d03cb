// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// The heading of the arena table, or one of its rows.
Item {
    id: row

    property bool heading: false
    property string arena
    property string thread
    property string live
    property string pages
    property string backlog
    property string adoptions
    property bool orphaned: false
    property bool adopted: false

    implicitHeight: heading ? 18 : 25
    Accessible.role: Accessible.Row
    Accessible.name: arena + " " + thread + " " + live + " " + pages + " " + backlog + " "
                     + adoptions + " " + mark.text

    RowLayout {
        anchors.fill: parent
        anchors.leftMargin: 14
        anchors.rightMargin: 14
        spacing: 6

        Cell { heading: row.heading; text: row.arena; share: 22 }
        Cell { heading: row.heading; text: row.thread; share: 56 }
        Cell { heading: row.heading; text: row.live; share: 52 }
        Cell { heading: row.heading; text: row.pages; share: 44 }
        Cell { heading: row.heading; text: row.backlog; share: 54 }
        Cell { heading: row.heading; text: row.adoptions; share: 56 }

        Item {
            Layout.preferredWidth: 68
            Layout.fillHeight: true

            Rectangle {
                anchors.centerIn: parent
                visible: mark.text !== ""
                width: mark.implicitWidth + 14
                height: 18
                radius: 9
                color: row.orphaned ? Theme.warningFill : Theme.goodFill

                Text {
                    id: mark

                    anchors.centerIn: parent
                    text: row.orphaned ? qsTr("orphaned") : row.adopted ? qsTr("adopted") : ""
                    color: row.orphaned ? Theme.warning : Theme.objects
                    font.pixelSize: 10
                }
            }
        }
    }

    component Cell: Text {
        required property bool heading
        required property int share

        Layout.fillWidth: true
        Layout.preferredWidth: share
        horizontalAlignment: Text.AlignRight
        color: heading ? Theme.mutedText : Theme.text
        font.pixelSize: heading ? Theme.small : 12
        elide: Text.ElideRight
    }
}
