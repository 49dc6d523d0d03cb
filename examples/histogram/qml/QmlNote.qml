// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// Explains where objects created by QML are counted: in a whole program and on QtCore alone this differs.
Caption {
    required property PoolMonitor monitor

    objectName: "qmlNote"
    text: monitor.hasHeap
        ? qsTr("Whole program: objects created by QML are counted in the heap, and their private parts as private parts.")
        : qsTr("QtCore alone: of the objects created by QML, only the private parts are counted.")
    wrapMode: Text.WordWrap
    lineHeight: 1.15
}
