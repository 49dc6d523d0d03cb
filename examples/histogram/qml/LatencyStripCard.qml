// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// The waits of each thread's events, or how many wait, over the last two minutes.
Card {
    id: card

    required property LatencyModel latency
    property bool compact: false

    readonly property int rowHeight: compact ? 16 : 20
    readonly property int labelWidth: compact ? 106 : 120

    implicitHeight: column.implicitHeight + 16

    ColumnLayout {
        id: column

        anchors.fill: parent
        anchors.margins: 8
        spacing: 4

        RowLayout {
            Layout.fillWidth: true
            spacing: 6

            Segmented {
                objectName: "stripChoice"
                label: qsTr("By thread over time")
                small: true
                options: [qsTr("Waits"), qsTr("Queues")]
                current: card.latency.strip
                onChosen: (index) => card.latency.strip = index
            }

            Caption {
                Layout.fillWidth: true
                objectName: "stripTitle"
                text: card.latency.strip === 0
                      ? (card.compact ? qsTr("p99 per second") : qsTr("by thread, p99 per second"))
                      : (card.compact ? qsTr("unfinished events") : qsTr("by thread, unfinished events"))
                elide: Text.ElideRight
            }

            // The scale, from short to long.
            Repeater {
                model: card.latency.levels

                Row {
                    required property string modelData
                    required property int index

                    objectName: "level"
                    spacing: 3
                    Accessible.role: Accessible.StaticText
                    Accessible.name: modelData

                    Rectangle {
                        anchors.verticalCenter: parent.verticalCenter
                        width: 9
                        height: 9
                        radius: 2
                        color: Theme.heat[parent.index]
                        border.width: 1
                        border.color: Theme.border
                    }

                    Caption {
                        // Narrow windows have room for some of them.
                        visible: !card.compact || parent.index % 3 === 0
                        text: parent.modelData
                        font.pixelSize: Theme.tiny
                    }
                }
            }
        }

        ListView {
            id: threads

            Layout.fillWidth: true
            Layout.preferredHeight: Math.max(1, Math.min(count, card.compact ? 3 : 8)) * (card.rowHeight + 2)
            objectName: "threadStrips"
            clip: true
            interactive: contentHeight > height
            activeFocusOnTab: true
            keyNavigationEnabled: true
            boundsBehavior: Flickable.StopAtBounds
            model: card.latency.threadCount
            spacing: 2
            Accessible.role: Accessible.List
            Accessible.name: card.latency.strip === 0 ? qsTr("Waits by thread") : qsTr("Queues by thread")
            ScrollBar.vertical: ScrollBar { }

            delegate: Item {
                id: strand

                required property int index
                readonly property bool current: threads.activeFocus && ListView.isCurrentItem

                // The model's values change with the number of events.
                function name(delivered: real) : string {
                    return card.latency.threadName(index)
                }

                function spoken(delivered: real) : string {
                    return card.latency.threadText(index)
                }

                width: ListView.view.width - 10
                height: card.rowHeight
                objectName: "threadStrip"
                Accessible.role: Accessible.ListItem
                Accessible.name: spoken(card.latency.delivered)

                Caption {
                    width: card.labelWidth - 8
                    height: parent.height
                    verticalAlignment: Text.AlignVCenter
                    elide: Text.ElideRight
                    text: strand.name(card.latency.delivered)
                    color: strand.current ? Theme.accent : Theme.mutedText
                    font.weight: strand.current ? Font.DemiBold : Font.Normal
                }

                HeatStrip {
                    id: strip

                    x: card.labelWidth
                    width: parent.width - x
                    height: parent.height
                    objectName: "heatStrip"
                    model: card.latency
                    thread: strand.index
                    colors: Theme.heat
                    emptyColor: Theme.raised
                }

                HoverHandler {
                    id: pointer

                    readonly property string tip: hovered ? strip.tipAt(point.position.x - strip.x) : ""
                }

                PlainTip {
                    text: pointer.tip
                    pointerX: pointer.point.position.x
                }
            }

            Caption {
                anchors.centerIn: parent
                objectName: "noIntervals"
                visible: threads.count === 0
                text: qsTr("No events in the last two minutes")
            }
        }

        RowLayout {
            Layout.fillWidth: true
            Layout.leftMargin: card.labelWidth
            Layout.rightMargin: 10

            Caption {
                text: qsTr("2 min ago")
                font.pixelSize: Theme.tiny
            }

            Item {
                Layout.fillWidth: true
            }

            Caption {
                text: qsTr("now")
                font.pixelSize: Theme.tiny
            }
        }
    }
}
