// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts

// The keys, and the terms that the pages use.
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

            PlainText {
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
                        [qsTr("Space"), qsTr("pause or resume")], ["C", qsTr("reset counts")],
                        ["/", qsTr("filter")], ["Esc", qsTr("clear the filter")],
                        ["1 – 7", qsTr("pages")], ["V", qsTr("live or cumulative counts")],
                        ["L", qsTr("linear or logarithmic scale")], ["T", qsTr("light or dark theme")],
                        ["P", qsTr("list of processes")], ["F10", qsTr("menu")],
                        ["Ctrl+O", qsTr("open a snapshot")], ["Ctrl+S", qsTr("save as JSON")],
                        ["Ctrl+E", qsTr("save as CSV")], ["Ctrl+P", qsTr("save as image")],
                        ["M", qsTr("set or clear the mark (Classes, Call sites)")], ["← →", qsTr("previous or next bar")], ["Enter", qsTr("details of a row (Classes, Latency)")], ["F1", qsTr("this help")])

                    PlainText {
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
                    [qsTr("Filter"), qsTr("Sizes: 24, 16-64, 128-, >100, <32. Domains: event, object, private, heap. Arenas: main, orphaned, adopted, #8888 for thread 8888, or part of a thread number.")],
                    [qsTr("Events, objects, private parts"), qsTr("Events are instances of QEvent, objects instances of QObject. Private parts are QObjectPrivate, signal connections, slot objects, futures and wait conditions. The histograms count their chunks by size. A chunk is live until it is freed.")],
                    [qsTr("Heap"), qsTr("All other blocks of up to 64 KiB: strings, lists, and the items, objects and events that the program itself allocates. Only whole programs have this domain; run and demo start them unless --without-malloc is given.")],
                    [qsTr("QML"), qsTr("QtQml itself allocates the objects that QML creates. In a whole program they are part of the heap. On QtCore alone, only their private parts come from the pool and are counted.")],
                    [qsTr("Arenas, backlog"), qsTr("Each thread allocates from its own arena. Chunks freed by other threads are queued in the arena's backlog until the owner takes them back. If a thread ends while chunks are live, its arena is orphaned, and a later thread adopts it.")],
                    [qsTr("Memory"), qsTr("Whose the resident memory of the process is, read every other second while the page is shown. The sum is the system's. Below it is what the process takes without being charged for it: without the malloc front QtQml's heap is mapped from a file in memory, whose pages stay when the heap shrinks. The system tells the size of such files to the superuser only; for others it is an estimate, at least so much.")],
                    [qsTr("Classes"), qsTr("Live objects, grouped by their vtable; in the heap, only blocks that begin with one have a class. Set a mark to sort by growth since then. The window reads the process's memory without stopping it; chunks that changed during the count are uncertain. Choose a class to see who holds its objects, some of them, and, while the process is sampled, the code that allocated them.")],
                    [qsTr("Latency"), qsTr("How long posted events and queued calls wait until their handlers begin, and how long the handlers run. p99 is a time that 99 of 100 events did not exceed. The strip shows, for each second of the last two minutes, the p99 of the waits, or how many events were queued for the thread and not done. Only processes that are started by run --latency or demo record it.")],
                    [qsTr("Call sites"), qsTr("Which code allocated what is in use, by samples of call stacks, one in 512 KiB; all numbers are estimates. What was allocated before sampling began is not seen. Sampling costs little, and nothing once it is off. The function is the first that is neither the allocator nor a container. In the stacks, a function is as wide as what it and those that it called have in use; choose one to give it all of the width.")],
                    [qsTr("Accuracy"), qsTr("The statistics are exact while all threads are idle. While threads allocate, each value is correct, but the values are not all from the same moment.")]
                ]

                ColumnLayout {
                    required property var modelData

                    spacing: 2

                    PlainText {
                        text: parent.modelData[0]
                        color: Theme.text
                        font.pixelSize: Theme.normal
                        font.weight: Font.DemiBold
                    }

                    PlainText {
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
