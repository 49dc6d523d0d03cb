// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// One row an arena.
Card {
    id: table

    required property ArenaModel arenas

    clip: true

    ColumnLayout {
        anchors.fill: parent
        anchors.topMargin: 9
        anchors.bottomMargin: 6
        spacing: 4

        RowLayout {
            Layout.fillWidth: true
            Layout.leftMargin: 14
            Layout.rightMargin: 14

            Text {
                text: qsTr("Arenas")
                color: Theme.text
                font.pixelSize: Theme.large
                font.weight: Font.DemiBold
            }

            Item {
                Layout.fillWidth: true
            }

            Text {
                objectName: "arenaSummary"
                text: qsTr("%1, of these %2 orphaned").arg(table.arenas.count)
                                                      .arg(table.arenas.orphanedCount)
                color: Theme.mutedText
                font.pixelSize: Theme.small
            }
        }

        ArenaRow {
            Layout.fillWidth: true
            heading: true
            arena: qsTr("Id")
            thread: qsTr("Thread")
            live: qsTr("Live")
            pages: qsTr("Pages")
            backlog: qsTr("Backlog")
            adoptions: qsTr("Adopted")
        }

        Rectangle {
            Layout.fillWidth: true
            Layout.preferredHeight: 1
            color: Theme.grid
        }

        ListView {
            Layout.fillWidth: true
            Layout.fillHeight: true
            objectName: "arenaList"
            clip: true
            boundsBehavior: Flickable.StopAtBounds
            model: table.arenas
            activeFocusOnTab: true
            ScrollBar.vertical: ScrollBar { }

            delegate: ArenaRow {
                required property var model

                width: ListView.view.width
                arena: model.arenaId
                thread: model.orphaned ? "–" : model.mainThread ? qsTr("main") : model.thread
                live: Format.count(model.live)
                pages: Format.count(model.pages)
                backlog: Format.count(model.backlog)
                adoptions: model.adoptions > 0 ? "×" + Format.count(model.adoptions) : "–"
                orphaned: model.orphaned
                adopted: model.adoptions > 0 && !model.orphaned
            }
        }
    }
}
