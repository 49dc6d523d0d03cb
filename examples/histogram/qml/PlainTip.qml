// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic

// Shown while it has a text, beside the pointer.
ToolTip {
    id: tip

    property real pointerX: 0

    x: pointerX + 12
    margins: 4 // keeps it within the window
    visible: text !== ""

    contentItem: PlainText {
        text: tip.text
        font: tip.font
        color: tip.palette.toolTipText
        wrapMode: Text.WordWrap
    }
}
