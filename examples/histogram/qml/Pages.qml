// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

// All pages. Hidden pages draw nothing, and keep their state.
StackLayout {
    id: pages

    required property PoolMonitor monitor
    required property WorkloadSet workloads
    required property ViewSettings settings

    signal thisProgramAsked()

    function focusSearch() {
        if (settings.page === 5)
            latency.focusSearch()
        else
            classes.focusSearch()
    }

    currentIndex: settings.page

    OverviewPage {
        monitor: pages.monitor
        settings: pages.settings
    }

    ArenasPage {
        monitor: pages.monitor
    }

    MemoryPage {
        monitor: pages.monitor
        settings: pages.settings
    }

    WorkloadsPage {
        monitor: pages.monitor
        workloads: pages.workloads
        settings: pages.settings
        onThisProgramAsked: pages.thisProgramAsked()
    }

    ClassesPage {
        id: classes

        monitor: pages.monitor
    }

    LatencyPage {
        id: latency

        monitor: pages.monitor
    }
}
