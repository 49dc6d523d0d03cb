// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// Explains why there is no event latency, and what the user can do.
StateMessage {
    id: view

    required property PoolMonitor monitor

    readonly property LatencyModel latency: monitor.latency

    subject: "latency"
    message: describe(latency.state, latency.problem, monitor.origin)

    function describe(state: int, problem: string, origin: int) : var {
        switch (state) {
        case LatencyModel.NotRecorded:
            return { title: qsTr("Event latency is not recorded"),
                     text: qsTr("The process was not asked to record how long its events wait, or its QtCore does not have the feature event_latency. To record it, start the program like this:"),
                     command: origin === PoolMonitor.OwnProcess
                              ? monitor.qpoolCommand + " run --latency -- qpool-histogram"
                              : monitor.qpoolCommand + " run --latency -- PROGRAM" }
        case LatencyModel.Unreadable:
            return { title: qsTr("The event latency cannot be read"), text: problem, command: "" }
        case LatencyModel.Empty:
            return { title: qsTr("No events yet"),
                     text: qsTr("No posted event has been delivered yet."), command: "" }
        default:
            return { title: qsTr("There is no event latency"), text: problem, command: "" }
        }
    }
}
