// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// The histograms of all domains, and the allocation rates of the last minutes.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property ViewSettings settings

    // Three histograms are stacked, with the other cards beside them. The heap has twice as many
    // bars: with it, the histograms form two columns, and the other cards are below.
    readonly property bool square: monitor.hasHeap
    readonly property bool roomy: square ? settings.pageWidth >= 1000 && settings.pageHeight >= 655
                                         : !settings.compact

    // A small page shows one card at a time.
    property int chosenDomain: 0
    property bool ratesChosen: false
    readonly property int shownDomain: Math.min(chosenDomain, domains.count - 1)

    spacing: Theme.gap

    Domains {
        id: domains

        monitor: page.monitor
    }

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
            label: qsTr("Counts")
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
            text: page.monitor.misunderstood ? qsTr("Unknown word in the filter: “%1”").arg(page.monitor.misunderstood)
                : page.monitor.resetTime ? qsTr("counted since %1").arg(page.monitor.resetTime) : ""
            color: page.monitor.misunderstood ? Theme.warning : Theme.mutedText
            elide: Text.ElideRight
        }
    }

    Segmented {
        Layout.alignment: Qt.AlignHCenter
        objectName: "domainSegments"
        visible: !page.roomy
        label: qsTr("Histogram")
        options: domains.list.map(domain => domain.name).concat(qsTr("Rates"))
        current: page.ratesChosen ? domains.count : page.shownDomain
        onChosen: (index) => {
            page.ratesChosen = index === domains.count
            if (!page.ratesChosen)
                page.chosenDomain = index
        }
    }

    GridLayout {
        Layout.fillWidth: true
        Layout.fillHeight: true
        columns: page.square ? 1 : 2
        columnSpacing: Theme.gap
        rowSpacing: Theme.gap

        GridLayout {
            id: histograms

            readonly property int count: page.monitor.domainsShown.filter(shown => shown).length

            visible: page.roomy || !page.ratesChosen
            columns: page.roomy && page.monitor.domainsShown[3] && count > 2 ? 2 : 1
            columnSpacing: Theme.gap
            rowSpacing: Theme.gap

            Repeater {
                // Not the list itself: it changes with the theme and with the heap, and the layouts
                // of Qt 6.4 crash if invisible items are removed.
                model: domains.all.length

                HistogramCard {
                    required property int index
                    readonly property var domain: domains.all[index]

                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    Layout.preferredWidth: 1 // equal widths
                    Layout.preferredHeight: 1
                    // If three cards are shown, the heap, which has the most bars, spans both columns.
                    Layout.columnSpan: index === 3 && histograms.count === 3 && page.roomy ? 2 : 1
                    visible: page.roomy ? page.monitor.domainsShown[index] : page.shownDomain === index
                    settings: page.settings
                    title: domain.name
                    sizeClasses: domain.sizeClasses
                    barColor: domain.color
                }
            }
        }

        GridLayout {
            id: side

            readonly property bool aside: page.roomy && !page.square

            Layout.preferredWidth: aside ? 316 : 1
            Layout.maximumWidth: aside ? 316 : -1
            Layout.fillWidth: true
            Layout.fillHeight: !page.roomy || aside
            visible: page.roomy || page.ratesChosen
            columns: page.roomy && page.square ? 2 : 1
            columnSpacing: Theme.gap
            rowSpacing: Theme.gap

            TrendCard {
                Layout.fillWidth: true
                Layout.fillHeight: true
                monitor: page.monitor
                settings: page.settings
                title: qsTr("Allocation rate")
                unit: qsTr("/s")
                stacked: true
                lines: domains.rates
            }

            RemoteFreesCard {
                Layout.fillWidth: true
                Layout.maximumWidth: side.aside ? -1 : 400
                visible: page.roomy
                monitor: page.monitor
            }

            QmlNote {
                Layout.fillWidth: true
                Layout.leftMargin: Theme.padding
                Layout.rightMargin: Theme.padding
                visible: side.aside
                monitor: page.monitor
            }
        }
    }

    QmlNote {
        Layout.fillWidth: true
        visible: !side.aside
        monitor: page.monitor
    }
}
