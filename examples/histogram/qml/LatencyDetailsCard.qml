// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The histograms of one class, type and thread.
Card {
    id: card

    required property LatencyModel latency
    property bool compact: false

    readonly property var row: latency.selection
    readonly property var bars: latency.bars
    readonly property real largest: bars.reduce((most, bar) => Math.max(most, bar.waits, bar.runs), 1)

    signal closed()

    // Logarithmic, because most events are short, and the few long ones matter.
    function share(count: real) : real {
        return count > 0 ? Math.max(0.04, Math.log(1 + count) / Math.log(1 + largest)) : 0
    }

    implicitHeight: column.implicitHeight + 16

    ColumnLayout {
        id: column

        anchors.fill: parent
        anchors.margins: 8
        spacing: 3

        RowLayout {
            Layout.fillWidth: true
            spacing: 10

            PlainText {
                Layout.fillWidth: true
                objectName: "detailsTitle"
                text: qsTr("%1: %2").arg(card.row.className ?? "").arg(card.row.typeName ?? "")
                color: Theme.text
                font.pixelSize: Theme.normal
                font.weight: Font.DemiBold
                elide: Text.ElideMiddle
            }

            Legend {
                swatch: Theme.events
                text: qsTr("wait")
            }

            Legend {
                swatch: Theme.objects
                text: qsTr("run")
            }

            PushButton {
                objectName: "closeDetails"
                implicitHeight: 24
                text: qsTr("Close")
                hint: qsTr("Esc")
                onClicked: card.closed()
            }
        }

        Caption {
            Layout.fillWidth: true
            objectName: "detailsCounts"
            text: qsTr("%1. Delivered %2, removed %3, receiver destroyed %4, compressed %5, lost %6").arg(card.row.threadName ?? "")
                .arg(Format.count(card.row.delivered ?? 0)).arg(Format.count(card.row.removed ?? 0))
                .arg(Format.count(card.row.died ?? 0)).arg(Format.count(card.row.compressed ?? 0))
                .arg(Format.count(card.row.lost ?? 0))
            wrapMode: Text.WordWrap
        }

        Caption {
            Layout.fillWidth: true
            objectName: "detailsTimes"
            text: qsTr("Wait: p50 %1, p99 %2, worst %3. Run: p50 %4, p99 %5, worst %6")
                .arg(Format.duration(card.row.waitP50 ?? 0)).arg(Format.duration(card.row.waitP99 ?? 0))
                .arg(Format.duration(card.row.waitWorst ?? 0)).arg(Format.duration(card.row.runP50 ?? 0))
                .arg(Format.duration(card.row.runP99 ?? 0)).arg(Format.duration(card.row.runWorst ?? 0))
            wrapMode: Text.WordWrap
        }

        Item {
            id: plot

            readonly property real slot: width / Math.max(1, card.bars.length)
            readonly property int labelStep: Math.max(1, Math.ceil(54 / slot))

            Layout.fillWidth: true
            Layout.preferredHeight: card.compact ? 56 : 110
            objectName: "detailsPlot"
            Accessible.role: Accessible.Chart
            Accessible.name: qsTr("Histograms of waits and runs")

            Repeater {
                model: card.bars

                Item {
                    id: group

                    required property var modelData
                    required property int index
                    readonly property real barWidth: Math.max(1, Math.min(24, Math.floor(plot.slot * 0.4)))

                    x: index * plot.slot
                    width: plot.slot
                    height: plot.height

                    Rectangle {
                        x: parent.width / 2 - parent.barWidth
                        y: parent.height - 14 - height
                        width: parent.barWidth
                        height: Math.round((parent.height - 16) * card.share(parent.modelData.waits))
                        color: Theme.events
                    }

                    Rectangle {
                        x: parent.width / 2
                        y: parent.height - 14 - height
                        width: parent.barWidth
                        height: Math.round((parent.height - 16) * card.share(parent.modelData.runs))
                        color: Theme.objects
                    }

                    Rectangle {
                        y: parent.height - 14
                        width: parent.width
                        height: 1
                        color: Theme.border
                    }

                    Caption {
                        readonly property bool fits: group.x + group.width / 2 + width / 2 <= plot.width
                                                     && group.x + group.width / 2 >= width / 2

                        anchors.horizontalCenter: parent.horizontalCenter
                        anchors.bottom: parent.bottom
                        visible: group.index % plot.labelStep === 0 && fits
                        text: Format.duration(group.modelData.end)
                        font.pixelSize: Theme.tiny
                    }
                }
            }
        }
    }
}
