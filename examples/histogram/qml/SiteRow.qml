// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// A row of the list of call sites, or its heading.
ListRow {
    id: line

    property string functionText
    property string callerText
    property string typeText
    property string inUseText
    property string allocatedText
    property string growthText
    property string shareText

    implicitHeight: heading ? 20 : 24
    spacing: 10
    tint: Theme.heap

    ListCell {
        Layout.fillWidth: true
        Layout.preferredWidth: 5
        horizontalAlignment: Text.AlignLeft
        text: line.functionText
        color: line.strongColor
    }

    ListCell {
        Layout.fillWidth: true
        Layout.preferredWidth: 4
        horizontalAlignment: Text.AlignLeft
        text: line.callerText
    }

    ListCell {
        Layout.preferredWidth: 130
        visible: !line.compact
        horizontalAlignment: Text.AlignLeft
        text: line.typeText
    }

    ListCell {
        Layout.preferredWidth: 64
        text: line.inUseText
        color: line.strongColor
    }

    ListCell {
        Layout.preferredWidth: 64
        text: line.allocatedText
    }

    ListCell {
        Layout.preferredWidth: 70
        visible: line.marked
        text: line.growthText
        color: line.growthColor
        font.weight: line.growthWeight
    }

    ListCell {
        Layout.preferredWidth: 44
        text: line.shareText
    }
}
