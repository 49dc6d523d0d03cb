// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts

// The keys, and what the words mean.
Sheet {
    id: help

    objectName: "help"
    panel.anchors.centerIn: help
    panel.width: Math.min(width - 40, 760)
    panel.height: Math.min(height - 40, column.implicitHeight + 40)
    Accessible.role: Accessible.Dialog
    Accessible.name: qsTr("Help")

    Flickable {
        id: flick

        anchors.fill: parent
        anchors.margins: 20
        focus: true
        clip: true
        contentHeight: column.implicitHeight
        boundsBehavior: Flickable.StopAtBounds
        ScrollBar.vertical: ScrollBar { }
        Keys.onUpPressed: flick.flick(0, 600)
        Keys.onDownPressed: flick.flick(0, -600)

        ColumnLayout {
            id: column

            width: flick.width
            spacing: 14

            Text {
                objectName: "helpTitle"
                text: qsTr("Help")
                color: Theme.text
                font.pixelSize: Theme.heading
                font.weight: Font.DemiBold
            }

            GridLayout {
                Layout.fillWidth: true
                columns: help.width > 700 ? 4 : 2
                columnSpacing: 14
                rowSpacing: 7

                Repeater {
                    model: [].concat(
                        [qsTr("Space"), qsTr("pause, go on")], ["C", qsTr("count from now on")],
                        ["/", qsTr("filter")], ["Esc", qsTr("leave the filter, clear it")],
                        ["1 – 5", qsTr("pages")], ["V", qsTr("live or cumulative")],
                        ["L", qsTr("linear or logarithmic")], ["T", qsTr("light or dark")],
                        ["P", qsTr("list of processes")], ["F10", qsTr("menu")],
                        ["Ctrl+O", qsTr("open a saved snapshot")], ["Ctrl+S", qsTr("save as JSON")],
                        ["Ctrl+E", qsTr("save as CSV")], ["Ctrl+P", qsTr("save a picture")],
                        ["M", qsTr("mark, among the classes")], ["← →", qsTr("bar by bar, in a histogram")], ["F1", qsTr("this help")])

                    Text {
                        required property string modelData
                        required property int index
                        readonly property bool key: index % 2 === 0

                        Layout.preferredWidth: key ? 56 : 1
                        Layout.fillWidth: !key
                        text: modelData
                        color: key ? Theme.text : Theme.mutedText
                        font.pixelSize: Theme.normal
                        font.weight: key ? Font.DemiBold : Font.Normal
                        wrapMode: Text.WordWrap
                    }
                }
            }

            Repeater {
                model: [
                    [qsTr("Filter"), qsTr("Sizes: 24, 16-64, 128-, >100, <32. Domains: event, object, private, heap. Arenas: main, orphaned, adopted, #8888 for that thread, or a part of a thread's number.")],
                    [qsTr("Events, objects, private parts"), qsTr("QEvent, QObject and what QObject keeps in QObjectPrivate, in its signals' connections and their slot objects, and what futures and wait conditions consist of, by the size of the chunk each took. A chunk is live until it is freed.")],
                    [qsTr("Heap"), qsTr("All else that a whole program allocates in blocks of up to 8 KiB: strings, lists, items, objects and events that it makes itself. ./qpool run and ./qpool demo start whole programs, unless told --qt-only. On QtCore alone there is no heap to see.")],
                    [qsTr("QML"), qsTr("Objects that QML makes are allocated by QtQml itself. A whole program has them in the heap; on QtCore alone only their private parts are in the pool, and only these are counted.")],
                    [qsTr("Arenas, backlog"), qsTr("Every thread takes chunks from an arena of its own. What another thread frees waits in the owner's backlog. When a thread ends with chunks still live its arena is orphaned, and a later thread adopts it.")],
                    [qsTr("Classes"), qsTr("What is alive, by the class of its vtable; of the heap, what begins with one. Mark, and go on: what grew by the most stands on top. The process is read from outside, and does not wait; what is in motion meanwhile is uncertain.")],
                    [qsTr("Figures"), qsTr("They are exact when the threads are quiet. While these run the figures are true each by itself, but not all of one moment.")]
                ]

                ColumnLayout {
                    required property var modelData

                    spacing: 2

                    Text {
                        text: parent.modelData[0]
                        color: Theme.text
                        font.pixelSize: Theme.normal
                        font.weight: Font.DemiBold
                    }

                    Text {
                        Layout.fillWidth: true
                        text: parent.modelData[1]
                        color: Theme.mutedText
                        font.pixelSize: Theme.normal
                        wrapMode: Text.WordWrap
                        lineHeight: 1.15
                    }
                }
            }
        }
    }
}
