// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// A row of the list of classes, or its heading.
ListRow {
    id: line

    property string titleText
    property string domainText
    property string numberText
    property string growthText
    property string bytesText
    property string shareText

    ListCell {
        Layout.fillWidth: true
        horizontalAlignment: Text.AlignLeft
        elide: Text.ElideMiddle
        text: line.titleText
        color: line.strongColor
    }

    ListCell {
        Layout.preferredWidth: 50
        visible: !line.compact
        horizontalAlignment: Text.AlignLeft
        text: line.domainText
    }

    ListCell {
        Layout.preferredWidth: 66
        text: line.numberText
        color: line.strongColor
    }

    ListCell {
        Layout.preferredWidth: 66
        visible: line.marked
        text: line.growthText
        color: line.growthColor
        font.weight: line.growthWeight
    }

    ListCell {
        Layout.preferredWidth: 70
        text: line.bytesText
        color: line.strongColor
    }

    ListCell {
        Layout.preferredWidth: 46
        visible: !line.compact
        text: line.shareText
    }
}
