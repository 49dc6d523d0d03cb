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
    readonly property bool compact: settings.compact
    readonly property var colors: ({ event: Theme.events, object: Theme.objects,
                                     private: Theme.privates, heap: Theme.heap })

    function focusSearch() {
        search.forceActiveFocus(Qt.ShortcutFocusReason)
        search.selectAll()
    }

    spacing: Theme.gap

    // A census takes time: only while the page is visible.
    Timer {
        interval: page.monitor.censusInterval
        repeat: true
        triggeredOnStart: true
        running: page.visible && !page.monitor.paused
        onTriggered: page.monitor.takeCensus()
    }

    RowLayout {
        Layout.fillWidth: true
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

        ColumnLayout {
            anchors.fill: parent
            anchors.margins: 8
            spacing: 2

            ClassRow {
                Layout.fillWidth: true
                Layout.rightMargin: 10
                visible: list.count > 0
                heading: true
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
                keyNavigationEnabled: true
                boundsBehavior: Flickable.StopAtBounds
                reuseItems: true
                model: page.classes
                Accessible.role: Accessible.List
                Accessible.name: qsTr("Classes")
                ScrollBar.vertical: ScrollBar { }

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
                    current: list.activeFocus && ListView.isCurrentItem
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

    component ClassRow: Item {
        id: line

        property bool heading: false
        property bool current: false
        property bool grew: false
        property real fraction: 0
        property color tint: Theme.border
        property string titleText
        property string domainText
        property string numberText
        property string growthText
        property string bytesText
        property string shareText

        implicitHeight: heading ? 20 : 26

        Rectangle {
            y: 2
            visible: !line.heading
            width: Math.max(3, line.width * line.fraction)
            height: parent.height - 4
            radius: 3
            color: Theme.faint(line.tint)
        }

        Rectangle {
            anchors.fill: parent
            visible: line.current
            radius: 4
            color: "transparent"
            border.width: 2
            border.color: Theme.accent
        }

        RowLayout {
            anchors.fill: parent
            anchors.leftMargin: 6
            anchors.rightMargin: 4
            spacing: 8

            Cell {
                Layout.fillWidth: true
                horizontalAlignment: Text.AlignLeft
                elide: Text.ElideMiddle
                text: line.titleText
                color: line.heading ? Theme.mutedText : Theme.text
            }

            Cell {
                Layout.preferredWidth: 50
                visible: !page.compact
                horizontalAlignment: Text.AlignLeft
                text: line.domainText
            }

            Cell {
                Layout.preferredWidth: 66
                text: line.numberText
                color: line.heading ? Theme.mutedText : Theme.text
            }

            Cell {
                Layout.preferredWidth: 66
                visible: page.classes.marked
                text: line.growthText
                color: line.grew ? Theme.warning : Theme.mutedText
                font.weight: line.grew ? Font.DemiBold : Font.Normal
            }

            Cell {
                Layout.preferredWidth: 70
                text: line.bytesText
                color: line.heading ? Theme.mutedText : Theme.text
            }

            Cell {
                Layout.preferredWidth: 46
                visible: !page.compact
                text: line.shareText
            }
        }
    }

    component Cell: PlainText {
        horizontalAlignment: Text.AlignRight
        verticalAlignment: Text.AlignVCenter
        color: Theme.mutedText
        font.pixelSize: 12
    }
}
