// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// What is being looked at, and how.
RowLayout {
    id: header

    required property PoolMonitor monitor
    required property ViewSettings settings

    readonly property bool ready: monitor.state === PoolMonitor.Ready
    readonly property bool paused: ready && monitor.paused

    spacing: 8

    ColumnLayout {
        spacing: 0

        Text {
            text: "QPool"
            color: Theme.text
            font.pixelSize: 18
            font.weight: Font.DemiBold
        }

        Text {
            Layout.fillWidth: true
            objectName: "subtitle"
            text: !header.ready ? qsTr("Histogram")
                                : header.paused ? qsTr("paused · Space goes on")
                                : qsTr("Qt %1 · process %2").arg(header.monitor.qtVersion)
                                                            .arg(header.monitor.pid)
            color: header.paused ? Theme.warning : Theme.mutedText
            font.pixelSize: Theme.small
            elide: Text.ElideRight
        }
    }

    Item {
        Layout.fillWidth: true
    }

    Segmented {
        objectName: "viewSegments"
        visible: header.ready
        options: [qsTr("Live"), qsTr("Cumulative")]
        current: header.settings.cumulative ? 1 : 0
        onChosen: (index) => header.settings.cumulative = index === 1
    }

    Segmented {
        objectName: "scaleSegments"
        visible: header.ready
        options: [qsTr("Linear"), qsTr("Log")]
        current: header.settings.logarithmic ? 1 : 0
        onChosen: (index) => header.settings.logarithmic = index === 1
    }

    PushButton {
        objectName: "trimButton"
        visible: header.ready
        text: qsTr("Trim")
        hint: qsTr("Give unused memory back to the system")
        onClicked: header.monitor.trim()
    }

    PushButton {
        objectName: "pauseButton"
        visible: header.ready
        text: header.paused ? qsTr("Go on") : qsTr("Pause")
        hint: qsTr("Space")
        highlighted: header.paused
        implicitWidth: 64
        onClicked: header.monitor.paused = !header.monitor.paused
    }
}
