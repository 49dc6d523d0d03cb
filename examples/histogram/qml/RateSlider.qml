// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QPool.Histogram

// The rate of a workload, on a logarithmic scale, because rates are compared by their ratio.
Slider {
    id: slider

    required property Workload workload

    from: Math.log(workload.lowestRate)
    to: Math.log(workload.highestRate)
    stepSize: (to - from) / 40
    value: Math.log(workload.rate)
    focusPolicy: Qt.TabFocus
    implicitHeight: 22
    Accessible.role: Accessible.Slider
    Accessible.name: qsTr("%1: %2 per second").arg(workload.title).arg(workload.unit)
    Accessible.description: Format.count(workload.rate)
    onMoved: workload.rate = Math.round(Math.exp(value))

    background: Rectangle {
        x: slider.leftPadding
        y: slider.topPadding + slider.availableHeight / 2 - height / 2
        width: slider.availableWidth
        height: 4
        radius: 2
        color: Theme.raised

        Rectangle {
            width: slider.visualPosition * parent.width
            height: parent.height
            radius: 2
            color: slider.workload.running ? Theme.accent : Theme.mutedText
        }
    }

    handle: Rectangle {
        x: slider.leftPadding + slider.visualPosition * (slider.availableWidth - width)
        y: slider.topPadding + slider.availableHeight / 2 - height / 2
        width: 16
        height: 16
        radius: 8
        color: slider.pressed ? Theme.hover : Theme.card
        border.width: slider.visualFocus ? 3 : 2
        border.color: slider.workload.running || slider.visualFocus ? Theme.accent : Theme.mutedText
    }
}
