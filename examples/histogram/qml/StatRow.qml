// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The headline figures.
RowLayout {
    id: row

    required property PoolMonitor monitor
    required property bool compact

    spacing: Theme.gap

    StatTile {
        objectName: "rateTile"
        compact: row.compact
        label: qsTr("Allocations per second")
        shortLabel: qsTr("Allocations/s")
        value: Format.count(row.monitor.allocationsPerSecond)
    }

    StatTile {
        objectName: "liveTile"
        compact: row.compact
        label: qsTr("Live")
        value: Format.bytes(row.monitor.liveBytes)
    }

    StatTile {
        objectName: "committedTile"
        compact: row.compact
        label: qsTr("Committed")
        value: Format.bytes(row.monitor.committedBytes)
    }

    StatTile {
        objectName: "reservedTile"
        compact: row.compact
        label: qsTr("Reserved address range")
        shortLabel: qsTr("Reserved")
        value: Format.bytes(row.monitor.reservedBytes)
    }
}
