// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// The icon of a page, drawn with rectangles.
Item {
    id: icon

    property string shape
    property color color

    readonly property var rectangles: ({
        overview: [[1, 10, 4, 9], [7, 3, 4, 16], [13, 7, 4, 12]],
        arenas: [[1, 2, 7, 7], [11, 2, 7, 7], [1, 12, 7, 7], [11, 12, 7, 7]],
        memory: [[1, 3, 17, 4], [1, 9, 17, 4], [1, 15, 10, 4]],
        workloads: [[1, 3, 17, 2], [12, 1, 4, 6], [1, 10, 17, 2], [4, 8, 4, 6], [1, 17, 17, 2], [9, 15, 4, 6]],
        classes: [[1, 2, 17, 4], [1, 8, 12, 4], [1, 14, 7, 4]],
        latency: [[1, 2, 6, 4], [9, 2, 9, 4], [1, 8, 3, 4], [6, 8, 12, 4], [1, 14, 10, 4], [13, 14, 5, 4]],
        sites: [[1, 2, 17, 4], [1, 8, 9, 4], [12, 8, 6, 4], [1, 14, 4, 4], [7, 14, 3, 4]],
        processes: [[1, 3, 4, 4], [8, 4, 10, 2], [1, 9, 4, 4], [8, 10, 10, 2], [1, 15, 4, 4], [8, 16, 10, 2]],
        help: [[4, 2, 11, 3], [12, 2, 3, 9], [8, 9, 7, 3], [8, 9, 3, 5], [8, 16, 3, 3]],
        menu: [[8, 2, 4, 4], [8, 8, 4, 4], [8, 14, 4, 4]]
    })

    implicitWidth: 20
    implicitHeight: 20

    Repeater {
        model: icon.rectangles[icon.shape] ?? []

        Rectangle {
            required property var modelData

            x: modelData[0]
            y: modelData[1]
            width: modelData[2]
            height: modelData[3]
            radius: 1
            color: icon.color
        }
    }
}
