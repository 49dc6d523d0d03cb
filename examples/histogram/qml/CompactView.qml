// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// One page at a time, for small windows.
ColumnLayout {
    id: view

    required property PoolMonitor monitor
    required property WorkloadSet workloads
    required property ViewSettings settings

    spacing: Theme.gap

    Segmented {
        id: pages

        Layout.alignment: Qt.AlignHCenter
        objectName: "pageSegments"
        options: [qsTr("Events"), qsTr("Objects"), qsTr("Private parts"), qsTr("Arenas"),
                  qsTr("Workloads")]
        onChosen: (index) => current = index
    }

    StackLayout {
        Layout.fillWidth: true
        Layout.fillHeight: true
        currentIndex: pages.current

        HistogramCard {
            settings: view.settings
            title: qsTr("Events")
            figures: view.monitor.events
            barColor: Theme.events
        }

        HistogramCard {
            settings: view.settings
            title: qsTr("Objects")
            figures: view.monitor.objects
            barColor: Theme.objects
        }

        HistogramCard {
            settings: view.settings
            title: qsTr("Private parts")
            figures: view.monitor.privates
            barColor: Theme.privates
        }

        ArenaTable {
            arenas: view.monitor.arenas
        }

        ColumnLayout {
            spacing: Theme.gap

            WorkloadCard {
                Layout.fillWidth: true
                workloads: view.workloads
            }

            QmlNote {
                Layout.fillWidth: true
                Layout.leftMargin: 14
                Layout.rightMargin: 14
            }

            Item {
                Layout.fillHeight: true
            }
        }
    }
}
