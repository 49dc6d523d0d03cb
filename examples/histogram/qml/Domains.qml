// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// The domains of the statistics, with the same names and colours on every page. Only whole programs
// have the heap.
QtObject {
    required property PoolMonitor monitor

    readonly property int count: monitor.hasHeap ? 4 : 3
    // Includes the heap even if the process has none: views that repeat over this list hide it.
    readonly property var all: [
        { name: qsTr("Events"), sizeClasses: monitor.events, rate: Trend.EventRate, color: Theme.events },
        { name: qsTr("Objects"), sizeClasses: monitor.objects, rate: Trend.ObjectRate, color: Theme.objects },
        { name: qsTr("Private parts"), sizeClasses: monitor.privates, rate: Trend.PrivateRate, color: Theme.privates },
        { name: qsTr("Heap"), sizeClasses: monitor.heap, rate: Trend.HeapRate, color: Theme.heap }
    ]
    readonly property var list: all.slice(0, count)

    // As the lines of a TrendCard.
    readonly property var rates: list.map(domain => ({ quantity: domain.rate, name: domain.name,
                                                       color: domain.color }))
}
