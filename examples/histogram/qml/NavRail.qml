// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Layouts

// The buttons that switch pages.
Rectangle {
    id: rail

    required property ViewSettings settings
    // Whether the workloads are in the process that is shown.
    property bool hasWorkloads: true
    property bool choosing: false
    property bool helping: false

    readonly property bool compact: height < 540

    signal pageChosen(int page)
    signal processesAsked()
    signal helpAsked()

    implicitWidth: 78
    color: Theme.rail

    Rectangle {
        anchors.right: parent.right
        width: 1
        height: parent.height
        color: Theme.border
    }

    ColumnLayout {
        anchors.fill: parent
        anchors.topMargin: 12
        anchors.bottomMargin: 10
        spacing: rail.compact ? 1 : 4

        PlainText {
            Layout.alignment: Qt.AlignHCenter
            Layout.bottomMargin: rail.compact ? 4 : 8
            text: "QPool"
            color: Theme.text
            font.pixelSize: Theme.large
            font.weight: Font.Bold
        }

        Repeater {
            model: [
                { name: "overview", title: qsTr("Overview") },
                { name: "arenas", title: qsTr("Arenas") },
                { name: "memory", title: qsTr("Memory") },
                { name: "workloads", title: qsTr("Workloads") },
                { name: "classes", title: qsTr("Classes") },
                { name: "latency", title: qsTr("Latency") },
                { name: "sites", title: qsTr("Call sites") }
            ]

            NavButton {
                required property var modelData
                required property int index

                Layout.alignment: Qt.AlignHCenter
                objectName: "nav_" + modelData.name
                visible: rail.hasWorkloads || modelData.name !== "workloads" || checked
                compact: rail.compact
                checked: !rail.choosing && rail.settings.page === index
                text: modelData.title
                shape: modelData.name
                Accessible.description: qsTr("Key %1").arg(index + 1)
                onClicked: rail.pageChosen(index)
            }
        }

        Item {
            Layout.fillHeight: true
        }

        NavButton {
            Layout.alignment: Qt.AlignHCenter
            objectName: "nav_processes"
            compact: rail.compact
            checked: rail.choosing
            text: qsTr("Processes")
            shape: "processes"
            onClicked: rail.processesAsked()
        }

        NavButton {
            Layout.alignment: Qt.AlignHCenter
            objectName: "nav_help"
            compact: rail.compact
            checked: rail.helping
            text: qsTr("Help")
            shape: "help"
            Accessible.description: "F1"
            onClicked: rail.helpAsked()
        }
    }
}
