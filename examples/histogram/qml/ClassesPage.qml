// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// Live objects by class, and their growth since a mark.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property ViewSettings settings

    readonly property ClassModel classes: monitor.classes
    readonly property HolderModel holders: monitor.inspection.holders
    readonly property bool chosen: holders.title !== ""
    readonly property bool compact: settings.compact
    readonly property var colors: ({ event: Theme.events, object: Theme.objects,
                                     private: Theme.privates, heap: Theme.heap })

    function focusSearch() {
        search.forceActiveFocus(Qt.ShortcutFocusReason)
        search.selectAll()
    }

    function choose(row: ClassRow) {
        if (row)
            monitor.inspection.chooseClass(row.domainText, row.titleText)
    }

    function closeDetails() {
        monitor.inspection.closeClass()
        list.forceActiveFocus()
    }

    spacing: Theme.gap
    Keys.onEscapePressed: (event) => {
        event.accepted = chosen
        if (event.accepted)
            closeDetails()
    }

    // A census takes time: only while the page is visible.
    Timer {
        interval: page.monitor.censusInterval
        repeat: true
        triggeredOnStart: true
        running: page.visible && !page.monitor.paused && page.monitor.origin !== PoolMonitor.SavedFile
        onTriggered: page.monitor.takeCensus()
    }

    // The first time when the class is chosen.
    Timer {
        interval: page.monitor.inspection.interval
        repeat: true
        running: page.visible && page.chosen && !page.monitor.paused && page.monitor.state !== PoolMonitor.Gone
        onTriggered: page.monitor.inspection.readHolders()
    }

    RowLayout {
        Layout.fillWidth: true
        visible: !page.chosen || !page.compact
        spacing: Theme.gap

        StatTile {
            objectName: "classesTile"
            compact: page.compact
            label: qsTr("Classes")
            value: Format.count(page.classes.total)
            note: qsTr("identified by vtable")
        }

        StatTile {
            objectName: "liveObjectsTile"
            compact: page.compact
            label: qsTr("Live")
            value: Format.count(page.classes.live)
            note: qsTr("chunks in use")
        }

        StatTile {
            objectName: "liveObjectBytesTile"
            compact: page.compact
            label: qsTr("Bytes")
            value: Format.bytes(page.classes.bytes)
            note: qsTr("rounded up to size classes")
        }

        StatTile {
            objectName: "uncertainTile"
            compact: page.compact
            label: qsTr("Uncertain")
            value: Format.count(page.classes.uncertain)
            note: qsTr("changed during the count")
        }
    }

    RowLayout {
        Layout.fillWidth: true
        spacing: 8

        FilterField {
            id: search

            Layout.fillWidth: true
            Layout.maximumWidth: 320
            objectName: "classSearch"
            placeholderText: qsTr("Search (/)")
            text: page.classes.search
            Accessible.name: qsTr("Search")
            Accessible.description: qsTr("Part of the name of a class, a domain or a module")
            onTextEdited: page.classes.search = text
            onTextChanged: if (text !== page.classes.search) page.classes.search = text
            onAccepted: list.forceActiveFocus()
            Keys.onEscapePressed: {
                clear()
                list.forceActiveFocus()
            }
        }

        Item {
            Layout.fillWidth: true
        }

        Segmented {
            objectName: "classOrder"
            label: qsTr("Sort by")
            options: page.classes.marked ? [qsTr("Bytes"), qsTr("Count"), qsTr("Growth")]
                                         : [qsTr("Bytes"), qsTr("Count")]
            current: page.classes.order
            onChosen: (index) => page.classes.order = index
        }

        PushButton {
            objectName: "markButton"
            text: page.classes.marked ? qsTr("Clear mark") : qsTr("Set mark")
            hint: qsTr("M: show growth from now on")
            highlighted: page.classes.marked
            onClicked: page.classes.toggleMark()
        }
    }

    Banner {
        Layout.fillWidth: true
        objectName: "censusError"
        // That the process has gone stands above the page.
        visible: text !== "" && page.monitor.state !== PoolMonitor.Gone
        bad: true
        text: page.classes.error
    }

    Card {
        Layout.fillWidth: true
        Layout.fillHeight: true
        Layout.preferredHeight: 2

        ColumnLayout {
            anchors.fill: parent
            anchors.margins: 8
            spacing: 2

            ClassRow {
                Layout.fillWidth: true
                Layout.rightMargin: 10
                visible: list.count > 0
                heading: true
                compact: page.compact
                marked: page.classes.marked
                titleText: qsTr("Class")
                domainText: ""
                numberText: qsTr("count")
                growthText: qsTr("growth")
                bytesText: qsTr("bytes")
                shareText: qsTr("share")
            }

            ListView {
                id: list

                Layout.fillWidth: true
                Layout.fillHeight: true
                objectName: "classList"
                clip: true
                activeFocusOnTab: true
                boundsBehavior: Flickable.StopAtBounds
                reuseItems: true
                model: page.classes
                Accessible.role: Accessible.List
                Accessible.name: qsTr("Classes")
                ScrollBar.vertical: ScrollBar { }
                Keys.onReturnPressed: page.choose(currentItem)
                Keys.onEnterPressed: page.choose(currentItem)

                // A list that is not in use stays at its top.
                Binding {
                    target: page.classes
                    property: "currentRow"
                    value: list.activeFocus ? list.currentIndex : -1
                }

                Connections {
                    target: page.classes
                    function onCurrentRowChanged() {
                        if (page.classes.currentRow >= 0)
                            list.currentIndex = page.classes.currentRow
                    }
                }

                delegate: ClassRow {
                    id: row

                    required property string title
                    required property string domain
                    required property string module
                    required property real number
                    required property real bytes
                    required property real growth
                    required property real share
                    required property real bar
                    required property int index

                    objectName: "classRow"
                    width: ListView.view.width - 10
                    compact: page.compact
                    marked: page.classes.marked
                    current: list.activeFocus && ListView.isCurrentItem
                    chosen: page.holders.title === title && page.holders.domain === domain
                    fraction: bar
                    tint: page.colors[domain] ?? Theme.heap
                    titleText: title
                    domainText: domain
                    numberText: Format.count(number)
                    growthText: Format.difference(growth)
                    grew: growth > 0
                    bytesText: Format.bytes(bytes)
                    shareText: Format.share(share)
                    Accessible.role: Accessible.ListItem
                    Accessible.name: qsTr("%1, %2, %3 live, %4, growth %5").arg(title).arg(domain)
                        .arg(numberText).arg(bytesText).arg(growthText)
                    Accessible.onPressAction: page.choose(row)

                    TapHandler {
                        onTapped: {
                            list.currentIndex = row.index
                            list.forceActiveFocus()
                            page.choose(row)
                        }
                    }
                }

                Caption {
                    anchors.centerIn: parent
                    objectName: "noClasses"
                    visible: list.count === 0
                    text: page.classes.total > 0 ? qsTr("No class matches the search")
                        : page.classes.error !== "" ? qsTr("No census available")
                                                    : qsTr("No live objects")
                    font.pixelSize: Theme.normal
                }
            }
        }
    }

    ClassDetailsCard {
        Layout.fillWidth: true
        Layout.fillHeight: true
        Layout.preferredHeight: 3
        objectName: "holdersCard"
        visible: page.chosen
        holders: page.holders
        onClosed: page.closeDetails()
    }
}
