// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts
import QPool.Histogram

Window {
    id: root

    required property PoolMonitor monitor
    required property WorkloadSet workloads
    required property ViewControl control
    required property Exporter exporter
    property alias page: viewSettings.page
    property alias choosing: content.choosing
    property alias cumulative: viewSettings.cumulative
    property alias logarithmic: viewSettings.logarithmic
    property alias animated: viewSettings.animated
    property string theme: "system"

    // Large windows scale their contents instead of only adding space.
    readonly property real zoom: Math.max(1, Math.min(4, Math.floor(
                                     Math.min(width / 1180, height / 740) * 2) / 2))

    function turnTheme() {
        theme = Theme.dark ? "light" : "dark"
    }

    width: 1280
    height: 800
    minimumWidth: 640
    minimumHeight: 480
    title: monitor.title ? qsTr("%1 – QPool").arg(monitor.title) : "QPool"
    color: Theme.window

    ViewSettings {
        id: viewSettings

        // Without the buttons on the left, the bar above and the margins.
        pageWidth: content.width - 110
        pageHeight: content.height - 78
    }

    Binding {
        target: Theme
        property: "choice"
        value: root.theme
    }

    Shortcut { sequences: ["F1"]; onActivated: content.toggle(help) }
    Shortcut { sequences: ["F10"]; onActivated: content.toggle(menu) }
    Shortcut { sequences: [StandardKey.Open]; onActivated: content.openFile() }
    Shortcut { sequences: [StandardKey.Save]; onActivated: content.save(Exporter.Json) }
    Shortcut { sequences: ["Ctrl+E"]; onActivated: content.save(Exporter.Csv) }
    Shortcut { sequences: [StandardKey.Print]; onActivated: content.save(Exporter.Png) }
    Shortcut { sequences: [StandardKey.Quit]; onActivated: Qt.quit() }

    FocusScope {
        id: content

        property bool choosing: false
        // The filter is of size classes and arenas.
        readonly property bool searching: viewSettings.page >= 4
        readonly property bool hasPage: root.monitor.hasStatistics || viewSettings.page === 3

        function toggle(sheet: Sheet) {
            const wasOpen = sheet.visible
            help.close()
            menu.close()
            if (!wasOpen)
                sheet.open()
        }

        function openFile() {
            dialogs.active = true
            dialogs.item.open()
        }

        function save(format: int) {
            if (format !== Exporter.Png && !root.monitor.hasStatistics)
                return
            dialogs.active = true
            dialogs.item.save(format)
        }

        function showPage(page: int) {
            choosing = false
            viewSettings.page = page
            // Items of a hidden page would keep the keys.
            for (let item = root.activeFocusItem; item; item = item.parent) {
                if (item === pages)
                    idle.forceActiveFocus()
            }
        }

        function showProcesses() {
            choosing = true
        }

        function leave() {
            if (root.monitor.filter !== "" && !choosing)
                root.monitor.filter = ""
            else if (choosing && root.monitor.origin !== PoolMonitor.NoOrigin)
                choosing = false
            idle.forceActiveFocus()
        }

        width: root.width / root.zoom
        height: root.height / root.zoom
        scale: root.zoom
        transformOrigin: Item.TopLeft
        focus: true

        // No Shortcuts: they would take Space from a focused switch, and letters from the
        // filter.
        Keys.onPressed: (event) => {
            if (event.modifiers & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier))
                return
            event.accepted = true
            switch (event.key) {
            case Qt.Key_Space: root.monitor.paused = !root.monitor.paused; break
            case Qt.Key_C: root.monitor.reset(); break
            case Qt.Key_Slash: content.searching ? pages.focusSearch() : bar.focusFilter(); break
            case Qt.Key_L: viewSettings.logarithmic = !viewSettings.logarithmic; break
            case Qt.Key_V: viewSettings.cumulative = !viewSettings.cumulative; break
            case Qt.Key_T: root.turnTheme(); break
            case Qt.Key_P: showProcesses(); break
            case Qt.Key_Escape: leave(); break
            case Qt.Key_1: showPage(0); break
            case Qt.Key_2: showPage(1); break
            case Qt.Key_3: showPage(2); break
            case Qt.Key_4: showPage(3); break
            case Qt.Key_5: showPage(4); break
            case Qt.Key_6: showPage(5); break
            case Qt.Key_7: showPage(6); break
            case Qt.Key_M: pages.toggleMark(); break
            default: event.accepted = false
            }
        }

        // Has the focus if no other item has it.
        Item {
            id: idle

            focus: true
        }

        // While a sheet is open, the items behind it get no keys, not even Tab.
        RowLayout {
            anchors.fill: parent
            enabled: !help.visible && !menu.visible
            spacing: 0

            NavRail {
                Layout.fillHeight: true
                settings: viewSettings
                hasWorkloads: root.monitor.origin === PoolMonitor.OwnProcess
                choosing: content.choosing
                helping: help.visible
                onPageChosen: (page) => content.showPage(page)
                onProcessesAsked: content.showProcesses()
                onHelpAsked: content.toggle(help)
            }

            ColumnLayout {
                Layout.margins: Theme.gap
                Layout.leftMargin: 16
                Layout.rightMargin: 16
                spacing: Theme.gap

                TopBar {
                    id: bar

                    Layout.fillWidth: true
                    monitor: root.monitor
                    choosing: content.choosing
                    compact: content.width < 800
                    title: content.choosing ? qsTr("Processes")
                         : [qsTr("Overview"), qsTr("Arenas"), qsTr("Memory"), qsTr("Workloads"),
                            qsTr("Classes"), qsTr("Latency"), qsTr("Call sites")][viewSettings.page]
                    filtering: !content.searching
                    onMenuAsked: content.toggle(menu)
                    onFilterLeft: idle.forceActiveFocus()
                }

                Banner {
                    Layout.fillWidth: true
                    objectName: "goneBanner"
                    visible: !content.choosing && root.monitor.hasStatistics && text !== ""
                    bad: true
                    text: root.monitor.state === PoolMonitor.Gone
                          ? qsTr("%1. These are its last statistics.").arg(root.monitor.error)
                          : root.monitor.state !== PoolMonitor.Ready && root.monitor.error
                          ? qsTr("No new data: %1.").arg(root.monitor.error) : ""
                    action: qsTr("Choose process")
                    onTriggered: content.showProcesses()
                }

                ProcessPicker {
                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    visible: content.choosing
                    monitor: root.monitor
                    processes: root.control.processes
                    segments: root.control.segments
                    onChosen: (pid) => {
                        root.control.watch(pid)
                        content.choosing = false
                        idle.forceActiveFocus()
                    }
                    onThisProgramAsked: content.watchThis()
                    onFileAsked: content.openFile()
                }

                StateView {
                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    visible: !content.choosing && !content.hasPage
                    monitor: root.monitor
                    onProcessesAsked: content.showProcesses()
                    onFileAsked: content.openFile()
                }

                Pages {
                    id: pages

                    Layout.fillWidth: true
                    Layout.fillHeight: true
                    visible: !content.choosing && content.hasPage
                    monitor: root.monitor
                    workloads: root.workloads
                    settings: viewSettings
                    onThisProgramAsked: content.watchThis()
                }
            }
        }

        function watchThis() {
            root.control.watchThis()
            choosing = false
            idle.forceActiveFocus()
        }

        MainMenu {
            id: menu

            entries: [
                { name: "processes", text: qsTr("Processes"), key: "P", run: () => content.showProcesses() },
                { name: "this", text: qsTr("Show this program"), run: () => content.watchThis(),
                  enabled: root.monitor.origin !== PoolMonitor.OwnProcess },
                { name: "open", text: qsTr("Open snapshot…"), key: "Ctrl+O", run: () => content.openFile() },
                {},
                { name: "json", text: qsTr("Save as JSON…"), key: "Ctrl+S", enabled: root.monitor.hasStatistics,
                  run: () => content.save(Exporter.Json) },
                { name: "csv", text: qsTr("Save as CSV…"), key: "Ctrl+E", enabled: root.monitor.hasStatistics,
                  run: () => content.save(Exporter.Csv) },
                { name: "png", text: qsTr("Save as image…"), key: "Ctrl+P", run: () => content.save(Exporter.Png) },
                {},
                { name: "reset", text: qsTr("Reset counts"), key: "C", enabled: root.monitor.hasStatistics,
                  run: () => root.monitor.reset() },
                { name: "trim", text: qsTr("Release unused memory"), enabled: root.monitor.canTrim,
                  run: () => root.monitor.trim() },
                {},
                { name: "system", text: qsTr("System theme"), checked: root.theme === "system",
                  run: () => root.theme = "system" },
                { name: "light", text: qsTr("Light theme"), checked: root.theme === "light", run: () => root.theme = "light" },
                { name: "dark", text: qsTr("Dark theme"), checked: root.theme === "dark", run: () => root.theme = "dark" },
                {},
                { name: "help", text: qsTr("Help"), key: "F1", run: () => content.toggle(help) }
            ]
            onClosed: idle.forceActiveFocus()
        }

        HelpSheet {
            id: help

            onClosed: idle.forceActiveFocus()
        }

        Toast {
            id: toast

            anchors.horizontalCenter: parent.horizontalCenter
            anchors.bottom: parent.bottom
            anchors.bottomMargin: 24
        }

        // Loaded on first use, because loading takes time.
        Loader {
            id: dialogs

            active: false
            sourceComponent: FileDialogs {
                exporter: root.exporter
                // A closed dialog keeps the focus.
                onClosed: idle.forceActiveFocus()
                onFileChosen: (file) => {
                    root.control.openUrl(file)
                    content.choosing = false
                }
            }
        }

        Connections {
            target: root.exporter

            function onSaved(fileName: string) {
                toast.show(qsTr("Saved %1").arg(fileName), false)
            }

            function onFailed(message: string) {
                toast.show(message, true)
            }
        }
    }
}
