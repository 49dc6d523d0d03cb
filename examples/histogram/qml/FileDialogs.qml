// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Dialogs
import QPool.Histogram

// Dialogs that open a snapshot or save one.
Item {
    id: dialogs

    required property Exporter exporter

    signal fileChosen(url file)
    signal closed()

    function open() {
        openDialog.open()
    }

    function save(format: int) {
        saveDialog.format = format
        saveDialog.nameFilters = [[qsTr("JSON files (*.json)")], [qsTr("CSV files (*.csv)")],
                                  [qsTr("PNG images (*.png)")]][format]
        saveDialog.defaultSuffix = ["json", "csv", "png"][format]
        saveDialog.selectedFile = exporter.suggestion(format)
        saveDialog.open()
    }

    FileDialog {
        id: openDialog

        objectName: "openDialog"
        title: qsTr("Open snapshot")
        nameFilters: [qsTr("JSON files (*.json)"), qsTr("All files (*)")]
        onAccepted: dialogs.fileChosen(selectedFile)
        onVisibleChanged: if (!visible) dialogs.closed()
    }

    FileDialog {
        id: saveDialog

        property int format: Exporter.Json

        objectName: "saveDialog"
        title: qsTr("Save")
        acceptLabel: qsTr("Save")
        fileMode: FileDialog.SaveFile
        onAccepted: dialogs.exporter.save(format, selectedFile)
        onVisibleChanged: if (!visible) dialogs.closed()
    }
}
