// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// A text with the colour of the bars or lines that it describes.
Row {
    id: legend

    property color swatch
    property alias text: label.text

    spacing: 6

    Rectangle {
        anchors.verticalCenter: parent.verticalCenter
        visible: legend.swatch.a > 0
        width: 9
        height: 9
        radius: 2
        color: legend.swatch
    }

    Caption {
        id: label
    }
}
