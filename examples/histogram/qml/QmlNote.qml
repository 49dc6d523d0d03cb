// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

Text {
    text: qsTr("Objects that QML makes are allocated in QtQml itself: only their private parts are pooled.")
    color: Theme.mutedText
    font.pixelSize: Theme.small
    wrapMode: Text.WordWrap
}
