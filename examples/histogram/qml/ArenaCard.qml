// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The owner of one arena, and what the arena contains.
Card {
    id: card

    required property var arena // a row of the model

    readonly property bool fresh: arena.just !== ""
    readonly property color tint: arena.orphaned ? Theme.mutedText : Theme.accent
    readonly property string owner: arena.orphaned ? qsTr("thread %1 has ended").arg(arena.thread)
                                                   : arena.mainThread ? qsTr("main thread")
                                                   : arena.thread === 0 ? qsTr("all threads, large chunks")
                                                   : arena.threadName !== "" ? arena.threadName + " " + arena.thread
                                                   : qsTr("thread %1").arg(arena.thread)
    readonly property string status: arena.just === "adopted" ? qsTr("just adopted")
                                   : arena.just === "orphaned" ? qsTr("just orphaned")
                                   : arena.just === "created" ? qsTr("new")
                                   : arena.orphaned ? qsTr("orphaned")
                                   : arena.adoptions > 0 ? qsTr("adopted ×%1").arg(Format.compact(arena.adoptions))
                                   : ""

    readonly property string spoken: qsTr("Arena %1, %2, %3 live, %4 pages, backlog %5 %6").arg(arena.arenaId).arg(owner)
        .arg(Format.count(arena.live)).arg(Format.count(arena.pages)).arg(Format.count(arena.backlog)).arg(status)

    border.color: fresh ? tint : Theme.border
    border.width: fresh ? 2 : 1

    ColumnLayout {
        anchors.fill: parent
        anchors.margins: 10
        spacing: 2

        RowLayout {
            spacing: 0

            Title {
                text: qsTr("Arena %1").arg(card.arena.arenaId)
                font.pixelSize: Theme.normal
            }

            Item {
                Layout.fillWidth: true
            }

            Chip {
                objectName: "arenaChip"
                text: card.status
                color: card.arena.orphaned ? Theme.faint(Theme.mutedText) : Theme.accentFill
                textColor: card.tint
            }
        }

        RowLayout {
            spacing: 6

            Caption {
                Layout.fillWidth: true
                objectName: "arenaOwner"
                text: card.owner
                elide: Text.ElideRight
            }

            Caption {
                objectName: "arenaScale"
                text: qsTr("0–%1").arg(Format.tiny(Math.max(1, ...card.arena.trail)))
                font.pixelSize: Theme.tiny
            }
        }

        Sparkline {
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.topMargin: 4
            Layout.bottomMargin: 4
            values: card.arena.trail
            color: Theme.faint(card.tint)
        }

        RowLayout {
            spacing: 10

            ArenaValue { name: qsTr("live"); value: card.arena.live }
            ArenaValue { name: qsTr("pages"); value: card.arena.pages }
            ArenaValue { name: qsTr("backlog"); value: card.arena.backlog }
        }
    }

    component ArenaValue: Column {
        property string name
        property real value

        Layout.fillWidth: true
        Layout.preferredWidth: 1

        PlainText {
            width: parent.width
            text: Format.count(parent.value)
            color: Theme.text
            font.pixelSize: Theme.large
            font.weight: Font.DemiBold
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: Theme.tiny
        }

        Caption {
            text: parent.name
        }
    }
}
