// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// How long events wait and how long their handlers run: by thread over time, and by class.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property ViewSettings settings

    readonly property LatencyModel latency: monitor.latency
    readonly property bool compact: settings.compact
    readonly property bool ready: latency.state === LatencyModel.Ready

    function focusSearch() {
        search.forceActiveFocus(Qt.ShortcutFocusReason)
        search.selectAll()
    }

    function closeDetails() {
        latency.clearSelection()
        list.forceActiveFocus()
    }

    spacing: Theme.gap
    Keys.onEscapePressed: (event) => {
        event.accepted = latency.hasSelection
        if (event.accepted)
            closeDetails()
    }

    RowLayout {
        Layout.fillWidth: true
        visible: page.ready
        spacing: Theme.gap

        StatTile {
            objectName: "deliveredTile"
            compact: page.compact
            label: qsTr("Delivered")
            value: Format.count(page.latency.delivered)
            note: qsTr("since the program started")
        }

        StatTile {
            objectName: "unfinishedTile"
            compact: page.compact
            label: qsTr("Unfinished")
            value: Format.count(page.latency.unfinished)
            note: page.latency.unfinishedGrowth >= 1
                  ? qsTr("+%1 per second").arg(Format.compact(page.latency.unfinishedGrowth))
                  : qsTr("waiting, or handled now")
        }

        StatTile {
            objectName: "notDeliveredTile"
            compact: page.compact
            label: qsTr("Not delivered")
            value: Format.count(page.latency.notDelivered)
            note: qsTr("removed, compressed …")
        }

        StatTile {
            objectName: "waitTile"
            compact: page.compact
            label: qsTr("Wait, p99")
            value: Format.duration(page.latency.waitP99)
            note: qsTr("worst %1").arg(Format.duration(page.latency.worstWait))
        }

        StatTile {
            objectName: "droppedTile"
            compact: page.compact
            label: qsTr("Dropped")
            value: Format.count(page.latency.dropped)
            note: qsTr("records without room")
            alert: page.latency.dropped > 0
        }
    }

    RowLayout {
        Layout.fillWidth: true
        visible: page.ready
        spacing: 8

        FilterField {
            id: search

            Layout.fillWidth: true
            Layout.maximumWidth: 320
            objectName: "latencySearch"
            placeholderText: qsTr("Search (/)")
            text: page.latency.search
            Accessible.name: qsTr("Search")
            Accessible.description: qsTr("Part of the name of a class, a type or a thread")
            onTextEdited: page.latency.search = text
            onTextChanged: if (text !== page.latency.search) page.latency.search = text
            onAccepted: list.forceActiveFocus()
            Keys.onEscapePressed: {
                clear()
                list.forceActiveFocus()
            }
        }

        Item {
            Layout.fillWidth: true
        }

        Segmented {
            objectName: "latencyPart"
            label: qsTr("Sort by")
            options: [qsTr("Wait"), qsTr("Run")]
            current: page.latency.part
            onChosen: (index) => page.latency.part = index
        }

        Segmented {
            objectName: "latencyMeasure"
            label: qsTr("Sort by")
            options: [qsTr("p99"), qsTr("Worst"), qsTr("Total")]
            current: page.latency.measure
            onChosen: (index) => page.latency.measure = index
        }
    }

    LatencyStripCard {
        Layout.fillWidth: true
        objectName: "stripCard"
        // A saved snapshot has no intervals.
        visible: page.ready && !page.latency.hasSelection && page.monitor.origin !== PoolMonitor.SavedFile
        latency: page.latency
        compact: page.compact
    }

    LatencyDetailsCard {
        Layout.fillWidth: true
        objectName: "detailsCard"
        visible: page.ready && page.latency.hasSelection
        latency: page.latency
        compact: page.compact
        onClosed: page.closeDetails()
    }

    Card {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: page.ready

        ColumnLayout {
            anchors.fill: parent
            anchors.margins: 8
            spacing: 2

            LatencyRow {
                Layout.fillWidth: true
                Layout.rightMargin: 10
                visible: list.count > 0
                heading: true
                compact: page.compact
                nameText: page.latency.leftOut > 0
                          ? qsTr("Class: type (%1 rows are summed up)").arg(Format.count(page.latency.leftOut))
                          : qsTr("Class: type")
                threadText: qsTr("thread")
                deliveredText: qsTr("events")
                otherText: qsTr("others")
                waitTexts: [qsTr("wait p50"), qsTr("wait p99"), qsTr("worst")]
                runTexts: [qsTr("run p50"), qsTr("run p99"), qsTr("worst")]
            }

            ListView {
                id: list

                Layout.fillWidth: true
                Layout.fillHeight: true
                objectName: "latencyList"
                clip: true
                activeFocusOnTab: true
                boundsBehavior: Flickable.StopAtBounds
                reuseItems: true
                model: page.latency
                Accessible.role: Accessible.List
                Accessible.name: qsTr("Latencies")
                ScrollBar.vertical: ScrollBar { }
                Keys.onReturnPressed: page.latency.select(currentIndex)
                Keys.onEnterPressed: page.latency.select(currentIndex)

                // A list that is not in use stays at its top.
                Binding {
                    target: page.latency
                    property: "currentRow"
                    value: list.activeFocus ? list.currentIndex : -1
                }

                Connections {
                    target: page.latency
                    function onCurrentRowChanged() {
                        if (page.latency.currentRow >= 0)
                            list.currentIndex = page.latency.currentRow
                    }
                }

                delegate: LatencyRow {
                    id: row

                    required property string className
                    required property string typeName
                    required property string threadName
                    required property real delivered
                    required property real notDelivered
                    required property real waitP50
                    required property real waitP99
                    required property real waitWorst
                    required property real runP50
                    required property real runP99
                    required property real runWorst
                    required property real bar
                    required property bool selected
                    required property int index

                    objectName: "latencyRow"
                    width: ListView.view.width - 10
                    compact: page.compact
                    current: list.activeFocus && ListView.isCurrentItem
                    chosen: selected
                    fraction: bar
                    tint: page.latency.part === 0 ? Theme.events : Theme.objects
                    nameText: qsTr("%1: %2").arg(className).arg(typeName)
                    threadText: threadName
                    deliveredText: delivered < 1000000 ? Format.count(delivered) : Format.compact(delivered)
                    otherText: Format.compact(notDelivered)
                    waitTexts: [Format.duration(waitP50), Format.duration(waitP99), Format.duration(waitWorst)]
                    runTexts: [Format.duration(runP50), Format.duration(runP99), Format.duration(runWorst)]
                    Accessible.role: Accessible.ListItem
                    Accessible.name: qsTr("%1, thread %2, %3 events, wait p99 %4, worst %5, run p99 %6, worst %7")
                        .arg(nameText).arg(threadName).arg(deliveredText).arg(waitTexts[1]).arg(waitTexts[2])
                        .arg(runTexts[1]).arg(runTexts[2])
                    Accessible.onPressAction: page.latency.select(index)

                    TapHandler {
                        onTapped: {
                            list.currentIndex = row.index
                            list.forceActiveFocus()
                            page.latency.select(row.index)
                        }
                    }
                }

                Caption {
                    anchors.centerIn: parent
                    objectName: "noLatencies"
                    visible: list.count === 0
                    text: qsTr("No class, type or thread matches the search")
                    font.pixelSize: Theme.normal
                }
            }
        }
    }

    LatencyState {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: !page.ready
        monitor: page.monitor
    }
}
