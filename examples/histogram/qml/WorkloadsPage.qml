// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// Workloads that exercise the pool of this program.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property WorkloadSet workloads
    required property ViewSettings settings

    signal thisProgramAsked()

    spacing: Theme.gap

    Domains {
        id: domains

        monitor: page.monitor
    }

    Banner {
        Layout.fillWidth: true
        objectName: "otherProcessBanner"
        visible: page.monitor.origin !== PoolMonitor.OwnProcess
        text: qsTr("The workloads run in this program, but the statistics of another one are shown.")
        action: qsTr("Show this program")
        onTriggered: page.thisProgramAsked()
    }

    Flickable {
        id: flick

        // Scrolls the focused card into view.
        function reveal(item: Item) {
            const top = item.mapToItem(grid, 0, 0).y
            if (top < contentY)
                contentY = top
            else if (top + item.height > contentY + height)
                contentY = top + item.height - height
        }

        Layout.fillWidth: true
        Layout.fillHeight: !trend.visible
        Layout.preferredHeight: grid.implicitHeight
        clip: true
        contentHeight: grid.implicitHeight
        boundsBehavior: Flickable.StopAtBounds
        ScrollBar.vertical: ScrollBar { }

        GridLayout {
            id: grid

            width: flick.width
            columns: Math.max(1, Math.min(3, Math.floor(flick.width / 270)))
            columnSpacing: Theme.gap
            rowSpacing: Theme.gap

            Repeater {
                model: page.workloads.list

                FocusScope {
                    id: cell

                    required property Workload modelData

                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    Layout.preferredWidth: 1 // equal widths
                    implicitHeight: card.implicitHeight
                    onActiveFocusChanged: if (activeFocus) flick.reveal(cell)

                    WorkloadCard {
                        id: card

                        anchors.fill: parent
                        workload: cell.modelData
                    }
                }
            }

            Card {
                Layout.fillWidth: true
                Layout.fillHeight: true
                Layout.preferredWidth: 1
                implicitHeight: about.implicitHeight + 26
                color: "transparent"

                ColumnLayout {
                    id: about

                    anchors.fill: parent
                    anchors.margins: Theme.padding
                    spacing: 8

                    Title {
                        text: qsTr("All workloads")
                    }

                    QmlNote {
                        Layout.fillWidth: true
                        monitor: page.monitor
                        Layout.fillHeight: true
                    }

                    RowLayout {
                        spacing: 8

                        PushButton {
                            objectName: "startAll"
                            text: qsTr("Start all")
                            onClicked: page.workloads.list.forEach(workload => workload.running = true)
                        }

                        PushButton {
                            objectName: "stopAll"
                            text: qsTr("Stop all")
                            enabled: page.workloads.anyRunning
                            onClicked: page.workloads.stop()
                        }
                    }
                }
            }
        }
    }

    TrendCard {
        id: trend

        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: page.monitor.origin === PoolMonitor.OwnProcess && page.monitor.hasStatistics
                 && page.height - grid.implicitHeight > 180
        monitor: page.monitor
        settings: page.settings
        title: qsTr("Allocation rate")
        stacked: true
        lines: domains.rates
    }
}
