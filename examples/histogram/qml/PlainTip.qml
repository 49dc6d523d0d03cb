// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic

// Shown while it has a text.
ToolTip {
    id: tip

    visible: text !== ""

    contentItem: PlainText {
        text: tip.text
        font: tip.font
        color: tip.palette.toolTipText
        wrapMode: Text.WordWrap
    }
}
