// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// Everything at once.
RowLayout {
    id: view

    required property PoolMonitor monitor
    required property WorkloadSet workloads
    required property ViewSettings settings

    spacing: Theme.gap

    ColumnLayout {
        Layout.fillWidth: true
        Layout.fillHeight: true
        spacing: Theme.gap

        HistogramCard {
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.preferredHeight: 1 // all the same
            settings: view.settings
            title: qsTr("Events")
            figures: view.monitor.events
            barColor: Theme.events
        }

        HistogramCard {
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.preferredHeight: 1 // all the same
            settings: view.settings
            title: qsTr("Objects")
            figures: view.monitor.objects
            barColor: Theme.objects
        }

        HistogramCard {
            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.preferredHeight: 1 // all the same
            settings: view.settings
            title: qsTr("Private parts")
            figures: view.monitor.privates
            barColor: Theme.privates
        }
    }

    ColumnLayout {
        Layout.preferredWidth: 400
        Layout.maximumWidth: 400
        Layout.fillHeight: true
        spacing: Theme.gap

        WorkloadCard {
            Layout.fillWidth: true
            workloads: view.workloads
        }

        ArenaTable {
            Layout.fillWidth: true
            Layout.fillHeight: true
            arenas: view.monitor.arenas
        }

        QmlNote {
            Layout.fillWidth: true
            Layout.leftMargin: 14
            Layout.rightMargin: 14
        }
    }
}
