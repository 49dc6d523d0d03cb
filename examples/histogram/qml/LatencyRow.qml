// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// A row of the list of latencies, or its heading.
ListRow {
    id: line

    property string nameText
    property string threadText
    property string deliveredText
    property string otherText
    property var waitTexts: ["", "", ""] // p50, p99, worst
    property var runTexts: ["", "", ""]

    tint: Theme.events

    ListCell {
        Layout.fillWidth: true
        horizontalAlignment: Text.AlignLeft
        elide: Text.ElideMiddle
        text: line.nameText
        color: line.strongColor
    }

    ListCell {
        Layout.preferredWidth: 100
        visible: !line.compact
        horizontalAlignment: Text.AlignLeft
        text: line.threadText
    }

    ListCell {
        Layout.preferredWidth: 64
        visible: !line.compact
        text: line.deliveredText
    }

    ListCell {
        Layout.preferredWidth: 50
        visible: !line.compact
        text: line.otherText
    }

    Repeater {
        model: 6

        ListCell {
            required property int index

            Layout.preferredWidth: 58
            visible: !line.compact || index % 3 !== 0 // the medians need room
            text: index < 3 ? line.waitTexts[index] : line.runTexts[index - 3]
            color: line.strongColor
        }
    }
}
