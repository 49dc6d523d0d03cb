// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// The resident memory of the process by owner, and below it what the process takes without showing it.
ColumnLayout {
    id: view

    required property PoolMonitor monitor
    required property ViewSettings settings

    readonly property Inspection inspection: monitor.inspection
    readonly property MemoryModel memory: inspection.memory
    readonly property bool gone: monitor.state === PoolMonitor.Gone
    readonly property bool compact: settings.compact
    // By group, as MemoryModel numbers them.
    readonly property var groups: [
        { name: qsTr("Pool"), color: Theme.events },
        { name: qsTr("Rest of malloc"), color: Theme.objects },
        { name: qsTr("JavaScript"), color: Theme.heap },
        { name: qsTr("Files"), color: Theme.privates },
        { name: qsTr("Other"), color: Theme.mutedText }
    ]

    function atLeast(bytes: real, known: bool) : string {
        return known ? Format.bytes(bytes) : qsTr("≥ %1").arg(Format.bytes(bytes))
    }

    spacing: Theme.gap

    // It is not read while nobody looks.
    Timer {
        interval: view.inspection.interval
        repeat: true
        triggeredOnStart: true
        running: view.visible && !view.gone && (!view.monitor.paused || !view.memory.ready)
        onTriggered: view.inspection.readMemory()
    }

    RowLayout {
        Layout.fillWidth: true
        visible: view.memory.ready
        spacing: Theme.gap

        StatTile {
            objectName: "residentTile"
            compact: view.compact
            label: qsTr("Resident")
            value: Format.bytes(view.memory.resident)
            note: qsTr("as the system counts it")
        }

        StatTile {
            objectName: "residentPoolTile"
            compact: view.compact
            label: qsTr("Pool")
            value: Format.bytes(view.memory.pool)
            note: qsTr("of it in the pool")
        }

        StatTile {
            objectName: "residentScriptTile"
            compact: view.compact
            label: qsTr("JavaScript")
            value: Format.bytes(view.memory.script)
            note: qsTr("of it, heap and stacks")
        }

        StatTile {
            objectName: "hiddenTile"
            compact: view.compact
            label: qsTr("Not shown by the system")
            value: view.atLeast(view.memory.hidden, view.memory.hiddenKnown)
            note: view.memory.hiddenKnown ? qsTr("beyond what is resident") : qsTr("an estimate: at least that")
        }
    }

    Banner {
        Layout.fillWidth: true
        objectName: "memoryError"
        // The end of the process has a banner of its own.
        visible: text !== "" && view.memory.ready && !view.gone
        bad: true
        text: view.memory.error
    }

    Card {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: view.memory.ready

        ColumnLayout {
            anchors.fill: parent
            anchors.margins: 10
            spacing: 8

            ShareBar {
                Layout.fillWidth: true
                implicitHeight: 14
                parts: view.groups.map((group, i) => ({ value: view.memory.byGroup[i], color: group.color }))
            }

            Flow {
                Layout.fillWidth: true
                spacing: 16

                Repeater {
                    model: view.groups.length

                    Legend {
                        required property int index

                        swatch: view.groups[index].color
                        text: view.groups[index].name + "  " + Format.bytes(view.memory.byGroup[index])
                    }
                }
            }

            ListView {
                id: list

                Layout.fillWidth: true
                Layout.fillHeight: true
                objectName: "memoryList"
                clip: true
                activeFocusOnTab: true
                boundsBehavior: Flickable.StopAtBounds
                reuseItems: true
                model: view.memory
                Accessible.role: Accessible.List
                Accessible.name: qsTr("Owners of memory")
                ScrollBar.vertical: ScrollBar {
                    policy: size < 1 ? ScrollBar.AlwaysOn : ScrollBar.AlwaysOff
                }

                delegate: MemoryRow {
                    required property int index

                    width: ListView.view.width - 12
                    current: list.activeFocus && ListView.isCurrentItem
                    tint: view.groups[group].color
                    compact: view.compact
                }
            }
        }
    }

    StateMessage {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: !view.memory.ready
        subject: "memoryState"
        message: view.gone ? { title: qsTr("The process has ended"),
                               text: qsTr("Its memory was not read before, and is gone."), command: "" }
               : view.memory.error ? { title: qsTr("The memory cannot be read"), text: view.memory.error + ".",
                                       command: "" }
               : { title: qsTr("Reading …"), text: qsTr("Whose the memory is, is being read."), command: "" }
    }
}
