// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// Where what QML makes is counted, which depends on what of the program is from the pool.
Caption {
    required property PoolMonitor monitor

    objectName: "qmlNote"
    text: monitor.hasHeap
        ? qsTr("This program is run whole: objects that QML makes are counted as heap, their private parts among private parts.")
        : qsTr("This program is run on QtCore alone: of the objects that QML makes only the private parts are counted.")
    wrapMode: Text.WordWrap
    lineHeight: 1.15
}
