// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The title of the page, the source of the statistics, the filter and the menu.
RowLayout {
    id: bar

    required property PoolMonitor monitor
    required property string title
    required property bool choosing
    required property bool compact
    property bool filtering: true

    readonly property bool ready: monitor.hasStatistics && !choosing
    readonly property bool paused: ready && monitor.paused
    readonly property bool live: monitor.origin === PoolMonitor.OwnProcess
                                 || monitor.origin === PoolMonitor.OtherProcess

    signal menuAsked()
    signal filterLeft()

    function focusFilter() {
        filter.forceActiveFocus(Qt.ShortcutFocusReason)
        filter.selectAll()
    }

    function describe() : string {
        if (choosing || !monitor.hasStatistics)
            return monitor.title
        const parts = [monitor.title]
        if (monitor.session)
            parts.push(monitor.session)
        parts.push(qsTr("process %1").arg(monitor.pid))
        parts.push(qsTr("Qt %1").arg(monitor.qtVersion))
        return parts.join(" · ")
    }

    spacing: 8

    ColumnLayout {
        Layout.fillWidth: true
        spacing: 1

        RowLayout {
            spacing: 10

            PlainText {
                objectName: "pageTitle"
                text: bar.title
                color: Theme.text
                font.pixelSize: Theme.heading
                font.weight: Font.DemiBold
                Accessible.role: Accessible.Heading
                Accessible.name: text
            }

            Chip {
                objectName: "stateChip"
                readonly property bool good: !bar.paused && bar.monitor.state === PoolMonitor.Ready
                                             && bar.live

                text: !bar.ready ? ""
                    : bar.monitor.state === PoolMonitor.Gone ? qsTr("ended")
                    : bar.paused ? qsTr("paused")
                    : bar.monitor.origin === PoolMonitor.SavedFile ? qsTr("saved")
                    : bar.monitor.state === PoolMonitor.Ready ? qsTr("live") : ""
                color: good ? Theme.goodFill : Theme.warningFill
                textColor: good ? Theme.good : Theme.warning
                Accessible.role: Accessible.StaticText
                Accessible.name: text
            }
        }

        Caption {
            Layout.fillWidth: true
            objectName: "subtitle"
            text: bar.describe()
            elide: Text.ElideMiddle
        }
    }

    FilterField {
        id: filter

        Layout.fillWidth: false
        Layout.preferredWidth: bar.compact ? 104 : 210
        objectName: "filterField"
        visible: bar.ready && bar.filtering
        text: bar.monitor.filter
        misunderstood: bar.monitor.misunderstood
        onAccepted: bar.filterLeft()
        onTextEdited: bar.monitor.filter = text
        onTextChanged: if (text !== bar.monitor.filter) bar.monitor.filter = text
    }

    PushButton {
        objectName: "pauseButton"
        visible: bar.ready && bar.live && bar.monitor.state !== PoolMonitor.Gone
        text: bar.paused ? qsTr("Resume") : qsTr("Pause")
        hint: qsTr("Space")
        highlighted: bar.paused
        implicitWidth: 70
        onClicked: bar.monitor.paused = !bar.monitor.paused
    }

    PushButton {
        objectName: "menuButton"
        text: qsTr("Menu")
        hint: "F10"
        onClicked: bar.menuAsked()
    }
}
