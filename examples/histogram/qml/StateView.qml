// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// Explains why there are no statistics, and what the user can do.
StateMessage {
    id: view

    required property PoolMonitor monitor

    signal processesAsked()
    signal fileAsked()

    illustrated: true
    subject: "empty"
    message: describe(monitor.state, monitor.error)

    function describe(state: int, error: string) : var {
        switch (state) {
        case PoolMonitor.Missing:
            return monitor.origin === PoolMonitor.OwnProcess
                ? { title: qsTr("This QtCore has no pool"),
                    text: qsTr("This program runs on a QtCore without the pool allocator. Start it on the pooled QtCore:"),
                    command: monitor.qpoolCommand + " run qpool-histogram" }
                : { title: qsTr("This process publishes no statistics"),
                    text: qsTr("%1. To publish statistics, start a program like this:").arg(error),
                    command: monitor.qpoolCommand + " run -- designer" }
        case PoolMonitor.Disabled:
            return { title: qsTr("The pool is disabled"),
                     text: qsTr("Memory comes from the general allocator. Restart the program without this setting:"),
                     command: "QT_POOL_ALLOCATOR=0" }
        case PoolMonitor.Damaged:
            return { title: qsTr("The statistics cannot be read"), text: error, command: "" }
        case PoolMonitor.Incompatible:
            return { title: qsTr("The statistics have another version"),
                     text: qsTr("%1. Use the window of that version of QPool.").arg(error),
                     command: "" }
        case PoolMonitor.Gone:
            return { title: qsTr("The process has ended"), text: error, command: "" }
        case PoolMonitor.Waiting:
            return { title: qsTr("Waiting for statistics"),
                     text: error || qsTr("They appear as soon as the process publishes them."), command: "" }
        default:
            return { title: "", text: "", command: "" }
        }
    }

    PushButton {
        objectName: "emptyProcesses"
        text: qsTr("Choose process")
        highlighted: true
        onClicked: view.processesAsked()
    }

    PushButton {
        objectName: "emptyOpen"
        text: qsTr("Open snapshot…")
        onClicked: view.fileAsked()
    }
}
