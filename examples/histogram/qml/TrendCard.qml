// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// A chart over time, with its legend and a choice of the time range.
Card {
    id: card

    required property PoolMonitor monitor
    required property ViewSettings settings
    required property string title
    required property var lines
    property bool stacked: false
    property bool bytes: false
    property string unit: "" // of values that are no bytes

    readonly property var spans: [60, 300, 600]

    ColumnLayout {
        anchors.fill: parent
        anchors.leftMargin: Theme.padding
        anchors.rightMargin: Theme.padding
        anchors.topMargin: 9
        anchors.bottomMargin: 8
        spacing: 6

        RowLayout {
            Layout.fillWidth: true

            Title {
                Layout.fillWidth: true
                text: card.title
                elide: Text.ElideRight
            }

            Segmented {
                objectName: "spanSegments"
                label: qsTr("Time range")
                small: true
                options: [qsTr("1 min"), qsTr("5 min"), qsTr("10 min")]
                current: card.spans.indexOf(card.settings.seconds)
                onChosen: (index) => card.settings.seconds = card.spans[index]
            }
        }

        Row {
            spacing: 14

            Repeater {
                model: card.lines.length

                Legend {
                    required property int index

                    swatch: card.lines[index].color
                    text: card.lines[index].name
                }
            }
        }

        TrendPlot {
            Layout.fillWidth: true
            Layout.fillHeight: true
            monitor: card.monitor
            title: card.title
            lines: card.lines
            seconds: card.settings.seconds
            stacked: card.stacked
            bytes: card.bytes
            unit: card.unit
        }
    }
}
