// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// A bar divided in proportion to the values of its parts.
Item {
    id: bar

    // Each { value, color }.
    required property var parts

    readonly property real total: parts.reduce((sum, part) => sum + part.value, 0)

    function start(index: int) : real {
        let sum = 0
        for (let i = 0; i < index; ++i)
            sum += parts[i].value
        return total > 0 ? Math.round(width * sum / total) : 0
    }

    implicitHeight: 10

    Rectangle {
        anchors.fill: parent
        color: Theme.raised
    }

    Repeater {
        model: bar.parts.length

        Rectangle {
            required property int index

            x: bar.start(index)
            width: Math.max(0, bar.start(index + 1) - x)
            height: parent.height
            color: bar.parts[index].color
        }
    }
}
