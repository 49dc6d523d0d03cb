// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// Shows that its parent has the keyboard.
Rectangle {
    anchors.fill: parent
    anchors.margins: -4
    visible: parent.activeFocus
    radius: 6
    color: "transparent"
    border.width: 2
    border.color: Theme.accent
}
