// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// How much of what, live: the histograms, and the rates over the last minutes.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property ViewSettings settings

    readonly property bool roomy: width >= 880 && height >= 540
    readonly property var domains: [
        { title: qsTr("Events"), figures: monitor.events, color: Theme.events },
        { title: qsTr("Objects"), figures: monitor.objects, color: Theme.objects },
        { title: qsTr("Private parts"), figures: monitor.privates, color: Theme.privates }
    ]

    spacing: Theme.gap

    StatRow {
        Layout.fillWidth: true
        monitor: page.monitor
        compact: !page.roomy
    }

    RowLayout {
        Layout.fillWidth: true
        spacing: 8

        Segmented {
            objectName: "viewSegments"
            label: qsTr("Figures")
            options: [qsTr("Live"), qsTr("Cumulative")]
            current: page.settings.cumulative ? 1 : 0
            onChosen: (index) => page.settings.cumulative = index === 1
        }

        Segmented {
            objectName: "scaleSegments"
            label: qsTr("Scale")
            options: [qsTr("Linear"), qsTr("Log")]
            current: page.settings.logarithmic ? 1 : 0
            onChosen: (index) => page.settings.logarithmic = index === 1
        }

        Caption {
            Layout.fillWidth: true
            objectName: "resetNote"
            horizontalAlignment: Text.AlignRight
            text: page.monitor.misunderstood ? qsTr("The filter does not know “%1”").arg(page.monitor.misunderstood)
                : page.monitor.resetTime ? qsTr("counted since %1").arg(page.monitor.resetTime) : ""
            color: page.monitor.misunderstood ? Theme.warning : Theme.mutedText
            elide: Text.ElideRight
        }
    }

    Segmented {
        id: choice

        Layout.alignment: Qt.AlignHCenter
        objectName: "domainSegments"
        visible: !page.roomy
        label: qsTr("Histogram")
        options: [qsTr("Events"), qsTr("Objects"), qsTr("Private parts"), qsTr("Rates")]
        onChosen: (index) => current = index
    }

    RowLayout {
        Layout.fillWidth: true
        Layout.fillHeight: true
        spacing: Theme.gap

        ColumnLayout {
            id: histograms

            visible: page.roomy || choice.current < 3
            spacing: Theme.gap

            Repeater {
                // Not the list itself: it changes with the colours, and the cards are to stay.
                model: page.domains.length

                HistogramCard {
                    required property int index
                    readonly property var domain: page.domains[index]

                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    Layout.preferredHeight: 1 // all the same
                    visible: page.roomy ? page.monitor.domainsShown[index] : choice.current === index
                    settings: page.settings
                    title: domain.title
                    figures: domain.figures
                    barColor: domain.color
                }
            }
        }

        ColumnLayout {
            Layout.preferredWidth: page.roomy ? 316 : 1
            Layout.maximumWidth: page.roomy ? 316 : -1
            visible: page.roomy || choice.current === 3
            spacing: Theme.gap

            TrendCard {
                Layout.fillWidth: true
                Layout.fillHeight: true
                monitor: page.monitor
                settings: page.settings
                title: qsTr("Allocation rate")
                stacked: true
                lines: [
                    { quantity: Trend.EventRate, name: qsTr("Events"), color: Theme.events },
                    { quantity: Trend.ObjectRate, name: qsTr("Objects"), color: Theme.objects },
                    { quantity: Trend.PrivateRate, name: qsTr("Private parts"), color: Theme.privates }
                ]
            }

            HomeCard {
                Layout.fillWidth: true
                visible: page.roomy
                monitor: page.monitor
            }

            QmlNote {
                Layout.fillWidth: true
                Layout.leftMargin: Theme.padding
                Layout.rightMargin: Theme.padding
                visible: page.roomy
            }
        }
    }

    QmlNote {
        Layout.fillWidth: true
        visible: !page.roomy
    }
}
