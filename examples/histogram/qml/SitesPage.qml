// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import QPool.Histogram

// Which code allocated what is in use: by site, and as stacks.
ColumnLayout {
    id: page

    required property PoolMonitor monitor
    required property ViewSettings settings

    readonly property Inspection inspection: monitor.inspection
    readonly property SiteModel sites: inspection.sites
    readonly property bool compact: settings.compact
    readonly property bool gone: monitor.state === PoolMonitor.Gone
    readonly property bool ready: sites.ready && sites.samples > 0
    property bool asStacks: false

    function growth(bytes: real) : string {
        return bytes > 0 ? "+" + Format.bytes(bytes) : bytes < 0 ? "-" + Format.bytes(-bytes) : "–"
    }

    spacing: Theme.gap

    // It is not read while nobody looks.
    Timer {
        interval: page.inspection.interval
        repeat: true
        triggeredOnStart: true
        running: page.visible && !page.gone && (!page.monitor.paused || !page.sites.ready && page.sites.error === "")
        onTriggered: page.inspection.readSites()
    }

    RowLayout {
        Layout.fillWidth: true
        visible: page.ready
        spacing: 8

        ToggleSwitch {
            objectName: "samplingSwitch"
            enabled: !page.gone
            checked: page.sites.sampled
            text: qsTr("Sampling")
            // The process tells when it is done.
            onClicked: page.inspection.setSampled(!page.sites.sampled)
        }

        Caption {
            Layout.fillWidth: true
            text: qsTr("Sampling")
            elide: Text.ElideRight
        }

        Segmented {
            objectName: "sitesView"
            label: qsTr("View")
            options: [qsTr("Table"), qsTr("Stacks")]
            current: page.asStacks ? 1 : 0
            onChosen: (index) => page.asStacks = index === 1
        }

        Segmented {
            objectName: "siteOrder"
            label: qsTr("Sort by")
            options: page.sites.marked ? [qsTr("In use"), qsTr("Allocated"), qsTr("Growth")]
                                       : [qsTr("In use"), qsTr("Allocated")]
            current: page.sites.order
            onChosen: (index) => page.sites.order = index
        }

        PushButton {
            objectName: "siteMark"
            text: page.sites.marked ? qsTr("Clear mark") : qsTr("Set mark")
            hint: qsTr("M: show growth from now on")
            highlighted: page.sites.marked
            onClicked: page.sites.toggleMark()
        }
    }

    Caption {
        Layout.fillWidth: true
        objectName: "sitesSummary"
        visible: page.ready
        text: qsTr("About %1 in use and %2 allocated since sampling began, by %3").arg(Format.bytes(page.sites.inUse))
            .arg(Format.bytes(page.sites.allocated))
            .arg(page.sites.sampled ? qsTr("%1 samples, one in %2").arg(Format.count(page.sites.samples))
                                          .arg(Format.bytes(page.sites.interval))
                                    : qsTr("%1 samples, sampling is off").arg(Format.count(page.sites.samples)))
        elide: Text.ElideRight
    }

    Banner {
        Layout.fillWidth: true
        objectName: "sitesError"
        // The end of the process has a banner of its own.
        visible: text !== "" && page.sites.ready && !page.gone
        bad: true
        text: page.sites.error
    }

    Card {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: page.ready

        ColumnLayout {
            anchors.fill: parent
            anchors.margins: 8
            spacing: 2

            SiteRow {
                Layout.fillWidth: true
                Layout.rightMargin: 12
                visible: !page.asStacks
                heading: true
                compact: page.compact
                marked: page.sites.marked
                functionText: qsTr("Function")
                callerText: qsTr("its caller")
                typeText: qsTr("class of its blocks")
                inUseText: qsTr("in use")
                allocatedText: qsTr("allocated")
                growthText: qsTr("growth")
                shareText: qsTr("share")
            }

            ListView {
                id: list

                Layout.fillWidth: true
                Layout.fillHeight: true
                objectName: "siteList"
                visible: !page.asStacks
                clip: true
                activeFocusOnTab: true
                boundsBehavior: Flickable.StopAtBounds
                reuseItems: true
                model: page.sites
                Accessible.role: Accessible.List
                Accessible.name: qsTr("Call sites")
                ScrollBar.vertical: ScrollBar {
                    policy: size < 1 ? ScrollBar.AlwaysOn : ScrollBar.AlwaysOff
                }

                delegate: SiteRow {
                    id: row

                    required property string site
                    required property string caller
                    required property string type
                    required property real inUse
                    required property real allocated
                    required property real growth
                    required property real share
                    required property real bar

                    objectName: "siteRow"
                    width: ListView.view.width - 12
                    compact: page.compact
                    marked: page.sites.marked
                    current: list.activeFocus && ListView.isCurrentItem
                    fraction: bar
                    functionText: site
                    callerText: caller
                    typeText: type
                    inUseText: Format.bytes(inUse)
                    allocatedText: Format.bytes(allocated)
                    growthText: page.growth(growth)
                    grew: growth > 0
                    shareText: Format.share(share)
                    Accessible.role: Accessible.ListItem
                    Accessible.name: qsTr("%1, called by %2: about %3 in use, %4 allocated, growth %5")
                        .arg(functionText).arg(caller).arg(inUseText).arg(allocatedText).arg(growthText)

                    HoverHandler {
                        id: hover
                    }

                    PlainTip {
                        delay: 600
                        pointerX: hover.point.position.x
                        width: Math.min(implicitWidth, row.width - 20)
                        text: hover.hovered ? row.functionText + "\n< " + row.caller + (row.type ? "\n{" + row.type + "}" : "")
                                            : ""
                    }
                }
            }

            RowLayout {
                Layout.fillWidth: true
                visible: page.asStacks

                Caption {
                    Layout.fillWidth: true
                    text: page.sites.order === SiteModel.Allocated ? qsTr("Width: bytes allocated since sampling began")
                                                                   : qsTr("Width: bytes in use")
                }

                PushButton {
                    objectName: "showAllStacks"
                    implicitHeight: 24
                    visible: page.sites.stacks.zoomed
                    text: qsTr("Show all")
                    onClicked: page.sites.stacks.showAll()
                }
            }

            FlameGraph {
                Layout.fillWidth: true
                Layout.fillHeight: true
                objectName: "flameGraph"
                visible: page.asStacks
                stacks: page.sites.stacks
            }

            Caption {
                Layout.fillWidth: true
                visible: text !== ""
                text: page.sites.notes
                elide: Text.ElideRight
            }
        }
    }

    StateMessage {
        Layout.fillWidth: true
        Layout.fillHeight: true
        visible: !page.ready
        subject: "sitesState"
        message: page.gone ? { title: qsTr("The process has ended"),
                               text: qsTr("No samples of its call stacks were read before."), command: "" }
               : !page.sites.ready && page.sites.error
               ? { title: qsTr("The call sites cannot be read"), text: page.sites.error + ".", command: "" }
               : !page.sites.ready ? { title: qsTr("Reading …"), text: qsTr("The samples are being read."), command: "" }
               : page.sites.sampled
               ? { title: qsTr("No sample yet"),
                   text: qsTr("Sampling is on: one in %1 that the process allocates. What it allocated before is not seen.")
                       .arg(Format.bytes(page.sites.interval)), command: "" }
               : { title: qsTr("Sampling is off"),
                   text: qsTr("Samples of call stacks tell which code allocated what is in use. They can be switched on while the process runs. Then a program that allocates nearly all the time is up to a tenth slower, others hardly; once they are off again, none."),
                   command: "" }

        PushButton {
            objectName: "startSampling"
            visible: page.sites.ready && !page.sites.sampled && !page.gone
            highlighted: true
            text: qsTr("Start sampling")
            onClicked: page.inspection.setSampled(true)
        }
    }
}
