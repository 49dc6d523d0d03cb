// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The memory of the process by owner, or that of its pool over time.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property ViewSettings settings

    // A saved snapshot has the pool's memory only.
    readonly property bool whole: settings.wholeMemory && monitor.origin !== PoolMonitor.SavedFile

    spacing: Theme.gap

    RowLayout {
        Layout.fillWidth: true
        visible: page.monitor.origin !== PoolMonitor.SavedFile
        spacing: 10

        Segmented {
            objectName: "memoryPart"
            label: qsTr("Memory")
            options: [qsTr("Whole process"), qsTr("Its pool")]
            current: page.whole ? 0 : 1
            onChosen: (index) => page.settings.wholeMemory = index === 0
        }

        Caption {
            Layout.fillWidth: true
            text: page.whole ? qsTr("Whose the process's memory is, as the system counts it")
                             : qsTr("What the pool takes from the system, over time")
            elide: Text.ElideRight
        }
    }

    ProcessMemory {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: page.whole
        monitor: page.monitor
        settings: page.settings
    }

    PoolMemory {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: !page.whole
        monitor: page.monitor
        settings: page.settings
    }
}
