// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QPool.Histogram

// All pages. Hidden pages draw nothing, and keep their state. Not a StackLayout: after a jump of the window's size, as
// when it is maximised, that of Qt 6.4 leaves a page half arranged.
Item {
    id: pages

    required property PoolMonitor monitor
    required property WorkloadSet workloads
    required property ViewSettings settings

    signal thisProgramAsked()

    function focusSearch() {
        if (settings.page === 5)
            latency.focusSearch()
        else if (settings.page === 4)
            classes.focusSearch()
    }

    function toggleMark() {
        if (settings.page === 4)
            monitor.classes.toggleMark()
        else if (settings.page === 6)
            monitor.inspection.sites.toggleMark()
    }

    OverviewPage {
        anchors.fill: parent
        visible: pages.settings.page === 0
        monitor: pages.monitor
        settings: pages.settings
    }

    ArenasPage {
        anchors.fill: parent
        visible: pages.settings.page === 1
        monitor: pages.monitor
        settings: pages.settings
    }

    MemoryPage {
        anchors.fill: parent
        visible: pages.settings.page === 2
        monitor: pages.monitor
        settings: pages.settings
    }

    WorkloadsPage {
        anchors.fill: parent
        visible: pages.settings.page === 3
        monitor: pages.monitor
        workloads: pages.workloads
        settings: pages.settings
        onThisProgramAsked: pages.thisProgramAsked()
    }

    ClassesPage {
        id: classes

        anchors.fill: parent
        visible: pages.settings.page === 4
        monitor: pages.monitor
        settings: pages.settings
    }

    LatencyPage {
        id: latency

        anchors.fill: parent
        visible: pages.settings.page === 5
        monitor: pages.monitor
        settings: pages.settings
    }

    SitesPage {
        anchors.fill: parent
        visible: pages.settings.page === 6
        monitor: pages.monitor
        settings: pages.settings
    }
}
