// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// How many chunks were freed by a thread that does not own their arena.
Card {
    id: card

    required property PoolMonitor monitor

    implicitHeight: column.implicitHeight + 20

    Domains {
        id: domains

        monitor: card.monitor
    }

    ColumnLayout {
        id: column

        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: parent.top
        anchors.leftMargin: Theme.padding
        anchors.rightMargin: Theme.padding
        anchors.topMargin: 9
        spacing: 8

        Title {
            text: qsTr("Remote frees")
        }

        Repeater {
            model: domains.all.length // constant, as in OverviewPage

            ColumnLayout {
                id: share

                required property int index
                readonly property var domain: domains.all[index]
                readonly property SizeClassModel sizeClasses: domain.sizeClasses
                readonly property real percent: sizeClasses.freed > 0 ? 100 * sizeClasses.remote / sizeClasses.freed : 0

                visible: index < domains.count
                spacing: 3
                Accessible.role: Accessible.StaticText
                Accessible.name: domain.name + " " + value.text

                RowLayout {
                    Caption {
                        Layout.fillWidth: true
                        text: share.domain.name
                    }

                    Caption {
                        id: value

                        color: Theme.text
                        text: share.sizeClasses.freed > 0
                              ? qsTr("%1% of %2").arg(Math.round(share.percent))
                                                  .arg(Format.compact(share.sizeClasses.freed))
                              : qsTr("none freed")
                    }
                }

                ShareBar {
                    Layout.fillWidth: true
                    implicitHeight: 6
                    parts: [{ value: share.percent, color: share.domain.color },
                            { value: 100 - share.percent, color: Theme.raised }]
                }
            }
        }
    }
}
