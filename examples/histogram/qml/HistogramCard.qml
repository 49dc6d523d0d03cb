// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The totals and the histogram of one domain.
Card {
    id: card

    required property string title
    required property SizeClassModel sizeClasses
    required property color barColor
    required property ViewSettings settings

    readonly property color paleColor: Theme.faint(barColor)

    ColumnLayout {
        anchors.fill: parent
        anchors.leftMargin: 14
        anchors.rightMargin: 14
        anchors.topMargin: 9
        anchors.bottomMargin: 6
        spacing: 4

        RowLayout {
            Layout.fillWidth: true
            spacing: 14

            Title {
                text: card.title
            }

            Item {
                Layout.fillWidth: true
            }

            Legend {
                swatch: card.barColor
                text: qsTr("%1 live").arg(Format.compact(card.sizeClasses.live))
            }

            Legend {
                swatch: card.settings.cumulative ? card.paleColor : "transparent"
                text: qsTr("%1 allocated").arg(Format.compact(card.sizeClasses.allocated))
            }

            Legend {
                swatch: "transparent"
                text: qsTr("%1 freed remotely").arg(Format.compact(card.sizeClasses.remote))
            }
        }

        HistogramPlot {
            Layout.fillWidth: true
            Layout.fillHeight: true
            title: card.title
            sizeClasses: card.sizeClasses
            barColor: card.barColor
            paleColor: card.paleColor
            settings: card.settings
        }
    }
}
