// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// The processes that publish statistics, and the segments of shared memory, which belong to no
// process.
ColumnLayout {
    id: picker

    required property ProcessModel processes
    required property SegmentModel segments
    required property PoolMonitor monitor

    // The model's count, because a view updates its own only at the next layout.
    readonly property int count: processes.count

    signal chosen(int pid)
    signal thisProgramAsked()
    signal fileAsked()

    function choose(index: int) {
        const row = list.itemAtIndex(index)
        if (row && !row.problem)
            chosen(row.pid)
    }

    function refresh() {
        processes.refresh()
        segments.refresh()
    }

    function look() {
        if (!visible)
            return
        refresh()
        list.forceActiveFocus()
    }

    spacing: Theme.gap
    onVisibleChanged: look()
    // Not at once: before its first layout, ColumnLayout of Qt 6.4 ignores an item that becomes visible.
    Component.onCompleted: Qt.callLater(look)

    // Only while it is visible, because a refresh opens the statistics of every process.
    Timer {
        running: picker.visible
        repeat: true
        interval: 1000
        onTriggered: picker.refresh()
    }

    RowLayout {
        Layout.fillWidth: true
        spacing: 8

        Caption {
            Layout.fillWidth: true
            objectName: "processSummary"
            text: picker.count === 0 ? "" : picker.count === 1 ? qsTr("One process publishes statistics.")
                                          : qsTr("%1 processes publish statistics.").arg(picker.count)
            font.pixelSize: Theme.normal
            elide: Text.ElideRight
        }

        PushButton {
            objectName: "watchThis"
            text: qsTr("This program")
            onClicked: picker.thisProgramAsked()
        }

        PushButton {
            objectName: "openSnapshot"
            text: qsTr("Open snapshot…")
            hint: "Ctrl+O"
            onClicked: picker.fileAsked()
        }
    }

    Card {
        Layout.fillWidth: true
        Layout.fillHeight: true
        clip: true

        ListView {
            id: list

            anchors.fill: parent
            anchors.margins: 8
            objectName: "processList"
            activeFocusOnTab: true
            clip: true
            cacheBuffer: 0
            boundsBehavior: Flickable.StopAtBounds
            model: picker.processes
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Processes")
            ScrollBar.vertical: ScrollBar { }
            Keys.onReturnPressed: picker.choose(currentIndex)
            Keys.onEnterPressed: picker.choose(currentIndex)

            delegate: AbstractButton {
                id: row

                required property int index
                required property var pid
                required property string name
                required property string problem
                required property string since
                required property real liveBytes

                objectName: "process_" + pid
                width: ListView.view.width
                height: 52
                enabled: problem === ""
                focusPolicy: Qt.NoFocus
                Accessible.role: Accessible.ListItem
                Accessible.name: name + " " + pid + " " + (problem || Format.bytes(liveBytes))
                onClicked: picker.chosen(pid)

                contentItem: RowLayout {
                    spacing: 12

                    ColumnLayout {
                        spacing: 1

                        PlainText {
                            Layout.fillWidth: true
                            text: row.name
                            color: row.enabled ? Theme.text : Theme.mutedText
                            font.pixelSize: Theme.large
                            elide: Text.ElideRight
                        }

                        Caption {
                            Layout.fillWidth: true
                            text: row.problem ? qsTr("process %1 · %2").arg(row.pid).arg(row.problem)
                                : row.since ? qsTr("process %1 · since %2").arg(row.pid).arg(row.since)
                                : qsTr("process %1").arg(row.pid)
                            color: row.problem ? Theme.warning : Theme.mutedText
                            elide: Text.ElideRight
                        }
                    }

                    PlainText {
                        visible: row.enabled
                        text: qsTr("%1 live").arg(Format.bytes(row.liveBytes))
                        color: Theme.mutedText
                        font.pixelSize: Theme.normal
                    }
                }

                background: Rectangle {
                    radius: 8
                    color: row.hovered ? Theme.hover : "transparent"
                    border.width: list.activeFocus && row.ListView.isCurrentItem ? 2 : 0
                    border.color: Theme.accent
                }
            }
        }

        ColumnLayout {
            anchors.centerIn: parent
            width: Math.min(parent.width - 48, 460)
            visible: picker.count === 0
            spacing: 12

            PlainText {
                Layout.fillWidth: true
                objectName: "noProcesses"
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("No process publishes statistics")
                color: Theme.text
                font.pixelSize: Theme.heading
                font.weight: Font.DemiBold
                wrapMode: Text.WordWrap
            }

            PlainText {
                Layout.fillWidth: true
                horizontalAlignment: Text.AlignHCenter
                text: qsTr("To start one, run this command. The process then appears in this list.")
                color: Theme.mutedText
                font.pixelSize: Theme.normal
                wrapMode: Text.WordWrap
            }

            CommandText {
                Layout.alignment: Qt.AlignHCenter
                objectName: "publishCommand"
                text: picker.monitor.qpoolCommand + " run -- designer"
            }
        }
    }

    SegmentCard {
        Layout.fillWidth: true
        objectName: "segmentCard"
        visible: picker.segments.count > 0
        segments: picker.segments
    }
}
