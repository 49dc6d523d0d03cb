// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

Caption {
    objectName: "qmlNote"
    text: qsTr("Objects that QML makes are allocated by QtQml itself: only their private parts are in the pool.")
    wrapMode: Text.WordWrap
    lineHeight: 1.15
}
