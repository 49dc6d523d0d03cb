// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// One card per arena, the activity of arenas, and the object caches if there are any.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property ViewSettings settings

    readonly property ArenaModel arenas: monitor.arenas
    readonly property CacheModel caches: monitor.caches
    readonly property bool roomy: settings.pageWidth >= 880
    readonly property bool compact: settings.compact

    spacing: Theme.gap

    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.gap

        StatTile {
            objectName: "arenasTile"
            compact: page.compact
            label: qsTr("Arenas")
            value: Format.count(page.arenas.total)
            note: qsTr("one per thread, and shared ones")
        }

        StatTile {
            objectName: "orphanedTile"
            compact: page.compact
            label: qsTr("Orphaned")
            value: Format.count(page.arenas.orphanedCount)
            note: qsTr("their threads have ended")
        }

        StatTile {
            objectName: "adoptionsTile"
            compact: page.compact
            label: qsTr("Adoptions")
            value: Format.count(page.arenas.adoptions)
            note: qsTr("by later threads")
        }

        StatTile {
            objectName: "backlogTile"
            compact: page.compact
            label: qsTr("Backlog")
            value: Format.count(page.arenas.backlog)
            note: qsTr("pending frees by other threads")
        }
    }

    Segmented {
        id: choice

        Layout.alignment: Qt.AlignHCenter
        objectName: "arenaSegments"
        visible: !page.roomy
        label: qsTr("Arenas page")
        options: page.caches.present ? [qsTr("Arenas"), qsTr("Activity"), qsTr("Object caches")]
                                     : [qsTr("Arenas"), qsTr("Activity")]
        onOptionsChanged: current = Math.min(current, options.length - 1)
        onChosen: (index) => current = index
    }

    RowLayout {
        Layout.fillWidth: true
        Layout.fillHeight: true
        spacing: Theme.gap
        visible: page.roomy || choice.current < 2

        GridView {
            id: grid

            readonly property int columns: Math.max(1, Math.floor(width / 196))

            Layout.fillWidth: true
            Layout.fillHeight: true
            objectName: "arenaGrid"
            visible: page.roomy || choice.current === 0
            clip: true
            cacheBuffer: 0 // no rows in advance: they would delay the removal of rows
            activeFocusOnTab: true
            boundsBehavior: Flickable.StopAtBounds
            cellWidth: Math.floor(width / columns)
            cellHeight: 148
            model: page.arenas
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Arenas")
            ScrollBar.vertical: ScrollBar { }

            delegate: Item {
                id: cell

                required property var model
                required property int index

                objectName: "arenaCell"
                Accessible.role: Accessible.ListItem
                Accessible.name: card.spoken
                width: GridView.view.cellWidth
                height: GridView.view.cellHeight

                ArenaCard {
                    id: card

                    anchors.fill: parent
                    // Aligned with both edges of the page.
                    anchors.rightMargin: Theme.gap
                    anchors.bottomMargin: Theme.gap
                    arena: cell.model

                    Rectangle {
                        anchors.fill: parent
                        visible: grid.activeFocus && cell.GridView.isCurrentItem
                        radius: Theme.radius
                        color: "transparent"
                        border.width: 2
                        border.color: Theme.text
                    }
                }
            }

            Caption {
                anchors.centerIn: parent
                visible: grid.count === 0
                text: page.arenas.total > 0 ? qsTr("No arena matches the filter")
                                            : qsTr("No thread has allocated yet")
                font.pixelSize: Theme.normal
            }
        }

        ArenaLogCard {
            Layout.fillHeight: true
            Layout.fillWidth: !page.roomy
            Layout.preferredWidth: page.roomy ? 320 : 1
            visible: page.roomy || choice.current === 1
            log: page.monitor.log
        }
    }

    CacheCard {
        Layout.fillWidth: true
        Layout.fillHeight: !page.roomy
        objectName: "cacheCard"
        visible: page.caches.present && (page.roomy || choice.current === 2)
        caches: page.caches
        // At most a quarter of the page: the rest is for the arenas.
        visibleRows: Math.max(2, Math.floor(page.height / 4 / rowHeight))
    }
}
