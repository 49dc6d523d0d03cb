// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// The object caches of the process: how many objects they hold, and how requests were served.
Card {
    id: card

    required property CacheModel caches
    property int visibleRows: 5

    readonly property bool wide: width >= 820
    readonly property int rowHeight: 26

    implicitHeight: column.implicitHeight + 18

    ColumnLayout {
        id: column

        anchors.fill: parent
        anchors.topMargin: 9
        anchors.bottomMargin: 8
        anchors.leftMargin: 8
        anchors.rightMargin: 8
        spacing: 2

        Title {
            Layout.leftMargin: Theme.padding - 8
            text: qsTr("Object caches")
        }

        CacheRow {
            Layout.fillWidth: true
            Layout.rightMargin: 10
            visible: list.count > 0
            heading: true
            titleText: qsTr("Cache")
            sizeText: qsTr("bytes")
            inUseText: qsTr("in use")
            stocksText: qsTr("stocks")
            depotText: qsTr("depot")
            madeText: qsTr("made")
            destroyedText: qsTr("destroyed")
            ownText: qsTr("own hits")
            fromDepotText: qsTr("from depot")
            missesText: qsTr("misses")
            resetsText: qsTr("resets")
        }

        ListView {
            id: list

            Layout.fillWidth: true
            Layout.fillHeight: true
            Layout.preferredHeight: Math.min(count, card.visibleRows) * card.rowHeight
            objectName: "cacheList"
            clip: true
            cacheBuffer: 0 // no rows in advance: they would delay the removal of rows
            activeFocusOnTab: true
            boundsBehavior: Flickable.StopAtBounds
            model: card.caches
            Accessible.role: Accessible.List
            Accessible.name: qsTr("Object caches")
            ScrollBar.vertical: ScrollBar { }

            delegate: CacheRow {
                required property int index
                required property string title
                required property bool part
                required property bool incomplete
                required property real objectSize
                required property real inUse
                required property real inStocks
                required property real inDepot
                required property real made
                required property real destroyed
                required property real ownHits
                required property real depotHits
                required property real misses
                required property real resets

                objectName: "cacheRow"
                width: ListView.view.width - 10
                current: list.activeFocus && ListView.isCurrentItem
                indented: part
                marked: incomplete
                fraction: made > destroyed ? Math.min(1, inUse / (made - destroyed)) : 0
                titleText: title
                sizeText: part ? "" : Format.count(objectSize)
                inUseText: Format.compact(inUse)
                stocksText: Format.compact(inStocks)
                depotText: Format.compact(inDepot)
                madeText: Format.compact(made)
                destroyedText: Format.compact(destroyed)
                ownText: Format.compact(ownHits)
                fromDepotText: Format.compact(depotHits)
                missesText: Format.compact(misses)
                resetsText: Format.compact(resets)
                Accessible.role: Accessible.ListItem
                Accessible.name: qsTr("%1: %2 in use, %3 in stocks, %4 in the depot, %5 made, %6 destroyed")
                    .arg(title).arg(inUseText).arg(stocksText).arg(depotText).arg(madeText)
                    .arg(destroyedText)
            }

            FocusFrame {
                anchors.margins: 0
            }
        }

        Caption {
            Layout.fillWidth: true
            Layout.leftMargin: Theme.padding - 8
            objectName: "cacheNote"
            visible: text !== ""
            text: card.caches.note
            color: Theme.warning
            wrapMode: Text.WordWrap
        }
    }

    component CacheRow: Item {
        id: line

        property bool heading: false
        property bool current: false
        property bool indented: false
        property bool marked: false
        property real fraction: 0 // share of the objects that are in use
        property string titleText
        property string sizeText
        property string inUseText
        property string stocksText
        property string depotText
        property string madeText
        property string destroyedText
        property string ownText
        property string fromDepotText
        property string missesText
        property string resetsText

        implicitHeight: heading ? 20 : card.rowHeight

        Rectangle {
            y: 2
            visible: !line.heading
            width: Math.max(3, line.width * line.fraction)
            height: parent.height - 4
            radius: 3
            color: Theme.faint(line.marked ? Theme.warning : line.indented ? Theme.border : Theme.accent)
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
            anchors.leftMargin: line.indented ? 22 : 6
            anchors.rightMargin: 4
            spacing: 8

            Cell {
                Layout.fillWidth: true
                objectName: "cacheTitle"
                horizontalAlignment: Text.AlignLeft
                elide: Text.ElideMiddle
                text: line.titleText
                color: line.marked ? Theme.warning
                    : line.heading || line.indented ? Theme.mutedText : Theme.text
            }

            Cell {
                Layout.preferredWidth: 52
                visible: card.wide
                text: line.sizeText
            }

            Cell {
                Layout.preferredWidth: 52
                text: line.inUseText
                color: line.heading ? Theme.mutedText : Theme.text
            }

            Cell {
                Layout.preferredWidth: 48
                text: line.stocksText
            }

            Cell {
                Layout.preferredWidth: 48
                text: line.depotText
            }

            Cell {
                Layout.preferredWidth: 52
                text: line.madeText
                color: line.heading ? Theme.mutedText : Theme.text
            }

            Cell {
                Layout.preferredWidth: 62
                visible: card.wide
                text: line.destroyedText
            }

            Cell {
                Layout.preferredWidth: 54
                text: line.ownText
            }

            Cell {
                Layout.preferredWidth: 66
                visible: card.wide
                text: line.fromDepotText
            }

            Cell {
                Layout.preferredWidth: 52
                text: line.missesText
            }

            Cell {
                Layout.preferredWidth: 52
                visible: card.wide
                text: line.resetsText
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
