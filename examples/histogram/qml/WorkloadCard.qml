// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// One workload: its description, its switch and its rate.
Card {
    id: card

    required property Workload workload

    implicitHeight: column.implicitHeight + 26

    ColumnLayout {
        id: column

        anchors.fill: parent
        anchors.margins: Theme.padding
        anchors.topMargin: 12
        anchors.bottomMargin: 12
        spacing: 6

        RowLayout {
            Title {
                Layout.fillWidth: true
                text: card.workload.title
                elide: Text.ElideRight
            }

            ToggleSwitch {
                objectName: "switch_" + card.workload.name
                text: card.workload.title
                checked: card.workload.running
                Accessible.description: card.workload.description
                onClicked: card.workload.running = !card.workload.running
            }
        }

        Caption {
            Layout.fillWidth: true
            Layout.fillHeight: true
            text: card.workload.description
            wrapMode: Text.WordWrap
            lineHeight: 1.15
        }

        Sparkline {
            Layout.fillWidth: true
            Layout.preferredHeight: 34
            slotCount: 60
            values: card.workload.trail
            color: card.workload.running ? Theme.accent : Theme.border
        }

        RateSlider {
            Layout.fillWidth: true
            objectName: "slider_" + card.workload.name
            workload: card.workload
        }

        RowLayout {
            Caption {
                Layout.fillWidth: true
                objectName: "rate_" + card.workload.name
                text: qsTr("%1 %2 per second").arg(Format.count(card.workload.rate)).arg(card.workload.unit)
                color: Theme.text
            }

            Caption {
                text: card.workload.operations > 0 ? qsTr("%1 in total").arg(Format.compact(card.workload.operations))
                                                   : ""
            }
        }
    }
}
