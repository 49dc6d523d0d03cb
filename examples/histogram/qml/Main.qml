// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

Window {
    id: root

    required property PoolMonitor monitor
    required property WorkloadSet workloads
    property alias cumulative: viewSettings.cumulative
    property alias animated: viewSettings.animated
    property string theme: "system"

    // Large screens get larger figures, not just more room.
    readonly property real zoom: Math.max(1, Math.min(4, Math.floor(
                                     Math.min(width / 1180, height / 740) * 2) / 2))

    width: 1280
    height: 800
    minimumWidth: 640
    minimumHeight: 480
    title: qsTr("QPool histogram")
    color: Theme.window

    ViewSettings {
        id: viewSettings
    }

    Binding {
        target: Theme
        property: "choice"
        value: root.theme
    }

    FocusScope {
        id: content

        // Three histograms and two side cards need some room; else one page at
        // a time.
        readonly property bool roomy: width >= 980 && height >= 620

        width: root.width / root.zoom
        height: root.height / root.zoom
        scale: root.zoom
        transformOrigin: Item.TopLeft
        focus: true

        // Not a Shortcut: that would take the key from a focused switch.
        Keys.onSpacePressed: root.monitor.paused = !root.monitor.paused

        ColumnLayout {
            anchors.fill: parent
            anchors.margins: Theme.gap
            spacing: Theme.gap

            Header {
                Layout.fillWidth: true
                monitor: root.monitor
                settings: viewSettings
            }

            EmptyState {
                Layout.fillWidth: true
                Layout.fillHeight: true
                visible: root.monitor.state !== PoolMonitor.Ready
                monitor: root.monitor
            }

            StatRow {
                Layout.fillWidth: true
                visible: root.monitor.state === PoolMonitor.Ready
                monitor: root.monitor
                compact: !content.roomy
            }

            Loader {
                Layout.fillWidth: true
                Layout.fillHeight: true
                visible: active
                active: root.monitor.state === PoolMonitor.Ready
                sourceComponent: content.roomy ? roomyView : compactView
            }
        }
    }

    Component {
        id: roomyView

        RoomyView {
            monitor: root.monitor
            workloads: root.workloads
            settings: viewSettings
        }
    }

    Component {
        id: compactView

        CompactView {
            monitor: root.monitor
            workloads: root.workloads
            settings: viewSettings
        }
    }
}
