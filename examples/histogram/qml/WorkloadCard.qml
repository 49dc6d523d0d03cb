// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// A switch for each workload.
Card {
    id: card

    required property WorkloadSet workloads

    implicitHeight: column.implicitHeight + 20

    ColumnLayout {
        id: column

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: parent.top
        anchors.margins: 14
        anchors.topMargin: 9
        spacing: 8

        Text {
            text: qsTr("Workloads")
            color: Theme.text
            font.pixelSize: Theme.large
            font.weight: Font.DemiBold
        }

        Repeater {
            model: card.workloads.list

            WorkloadSwitch {
                required property Workload modelData

                Layout.fillWidth: true
                objectName: "switch_" + modelData.name
                workload: modelData
            }
        }
    }
}
