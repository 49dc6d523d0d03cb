// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// Explains why there is no event latency, and what the user can do.
Item {
    id: view

    required property PoolMonitor monitor

    readonly property LatencyModel latency: monitor.latency
    readonly property var message: describe(latency.state, latency.problem, monitor.origin)

    function describe(state: int, problem: string, origin: int) : var {
        switch (state) {
        case LatencyModel.NotRecorded:
            return { title: qsTr("Event latency is not recorded"),
                     text: qsTr("The process was not asked to record how long its events wait, or its QtCore does not have the feature event_latency. To record it, start the program like this:"),
                     command: origin === PoolMonitor.OwnProcess
                              ? "QT_POOL_ALLOCATOR=monitor,latency ./qpool demo"
                              : "QT_POOL_ALLOCATOR=monitor,latency ./qpool run -- PROGRAM" }
        case LatencyModel.Unreadable:
            return { title: qsTr("The event latency cannot be read"), text: problem, command: "" }
        case LatencyModel.Empty:
            return { title: qsTr("No events yet"),
                     text: qsTr("No posted event has been delivered yet."), command: "" }
        default:
            return { title: qsTr("There is no event latency"), text: problem, command: "" }
        }
    }

    Accessible.role: Accessible.AlertMessage
    Accessible.name: message.title + ". " + message.text + " " + message.command

    ColumnLayout {
        anchors.centerIn: parent
        width: Math.min(parent.width - 48, 480)
        spacing: 14

        Text {
            Layout.fillWidth: true
            objectName: "latencyTitle"
            horizontalAlignment: Text.AlignHCenter
            text: view.message.title
            color: Theme.text
            font.pixelSize: Theme.heading
            font.weight: Font.DemiBold
            wrapMode: Text.WordWrap
        }

        Text {
            Layout.fillWidth: true
            objectName: "latencyText"
            horizontalAlignment: Text.AlignHCenter
            text: view.message.text
            color: Theme.mutedText
            font.pixelSize: Theme.normal
            lineHeight: 1.2
            wrapMode: Text.Wrap
            textFormat: Text.PlainText
        }

        CommandText {
            Layout.alignment: Qt.AlignHCenter
            objectName: "latencyCommand"
            text: view.message.command
        }
    }
}
