// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The memory that the pool reserved, committed, uses and released, over time.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property ViewSettings settings

    readonly property bool compact: settings.compact
    readonly property real free: Math.max(0, monitor.committedBytes - monitor.liveBytes)

    spacing: Theme.gap

    Domains {
        id: domains

        monitor: page.monitor
    }

    RowLayout {
        Layout.fillWidth: true
        spacing: Theme.gap

        StatTile {
            objectName: "memoryLiveTile"
            compact: page.compact
            label: qsTr("Live")
            value: Format.bytes(page.monitor.liveBytes)
            note: qsTr("chunks in use")
        }

        StatTile {
            objectName: "memoryCommittedTile"
            compact: page.compact
            label: qsTr("Committed")
            value: Format.bytes(page.monitor.committedBytes)
            note: qsTr("peak %1").arg(Format.bytes(page.monitor.highestCommitted))
        }

        StatTile {
            objectName: "memoryReleasedTile"
            compact: page.compact
            label: qsTr("Released")
            value: page.monitor.givenBackBytes >= 0 ? Format.bytes(page.monitor.givenBackBytes) : "–"
            note: page.monitor.givenBackBytes < 0 ? qsTr("unknown in this version")
                : page.monitor.resetTime ? qsTr("to the system since %1").arg(page.monitor.resetTime)
                : qsTr("to the system in total")
        }

        StatTile {
            objectName: "memoryReservedTile"
            compact: page.compact
            label: qsTr("Reserved")
            value: Format.bytes(page.monitor.reservedBytes)
            note: qsTr("address space")
        }
    }

    TrendCard {
        Layout.fillWidth: true
        Layout.fillHeight: true
        monitor: page.monitor
        settings: page.settings
        title: qsTr("Memory over time")
        bytes: true
        lines: [
            { quantity: Trend.CommittedBytes, name: qsTr("Committed"), color: Theme.privates },
            { quantity: Trend.LiveBytes, name: qsTr("Live"), color: Theme.events }
        ]
    }

    Card {
        Layout.fillWidth: true
        implicitHeight: holds.implicitHeight + 24

        ColumnLayout {
            id: holds

            readonly property var parts: domains.list.map((domain, i) => (
                { name: domain.name, value: page.monitor.liveBytesByDomain[i], color: domain.color }
            )).concat({ name: qsTr("Free in pool"), value: page.free, color: Theme.border })

            anchors.left: parent.left
            anchors.right: parent.right
            anchors.top: parent.top
            anchors.leftMargin: Theme.padding
            anchors.rightMargin: Theme.padding
            anchors.topMargin: 9
            spacing: 8

            RowLayout {
                Title {
                    Layout.fillWidth: true
                    text: qsTr("Committed memory by use")
                    elide: Text.ElideRight
                }

                PushButton {
                    objectName: "trimButton"
                    visible: page.monitor.canTrim
                    text: qsTr("Release memory")
                    hint: qsTr("Release unused memory to the system")
                    onClicked: page.monitor.trim()
                }
            }

            ShareBar {
                Layout.fillWidth: true
                implicitHeight: 16
                parts: holds.parts
            }

            Flow {
                Layout.fillWidth: true
                spacing: 16

                Repeater {
                    model: holds.parts.length

                    Legend {
                        required property int index

                        swatch: holds.parts[index].color
                        text: holds.parts[index].name + "  " + Format.bytes(holds.parts[index].value)
                    }
                }
            }

            QmlNote {
                Layout.fillWidth: true
                visible: !page.compact
                monitor: page.monitor
            }
        }
    }
}
