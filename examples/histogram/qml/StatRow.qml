// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The totals at the top of the overview.
RowLayout {
    id: row

    required property PoolMonitor monitor
    required property bool compact

    spacing: Theme.gap

    StatTile {
        objectName: "rateTile"
        compact: row.compact
        label: row.compact ? qsTr("Allocations/s") : qsTr("Allocations per second")
        value: row.monitor.knowsRate ? Format.count(row.monitor.allocationsPerSecond) : "–"
    }

    StatTile {
        objectName: "chunksTile"
        compact: row.compact
        label: qsTr("Live chunks")
        value: Format.count(row.monitor.liveChunks)
    }

    StatTile {
        objectName: "liveTile"
        compact: row.compact
        label: qsTr("Live bytes")
        value: Format.bytes(row.monitor.liveBytes)
    }

    StatTile {
        objectName: "committedTile"
        compact: row.compact
        label: row.compact ? qsTr("Committed") : qsTr("Committed memory")
        value: Format.bytes(row.monitor.committedBytes)
    }
}
