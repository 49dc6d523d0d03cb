// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic
import QPool.Histogram

// Stacks, the outermost functions at the top. A click gives a function all of the width.
Flickable {
    id: graph

    required property FlameModel stacks

    readonly property int level: 19
    readonly property var tints: [Theme.events, Theme.objects, Theme.privates, Theme.heap]

    // The same function has the same colour everywhere.
    function tint(name: string) : color {
        let sum = 0
        for (let i = 0; i < name.length; ++i)
            sum = (sum * 31 + name.charCodeAt(i)) % 65521
        return tints[sum % tints.length]
    }

    clip: true
    boundsBehavior: Flickable.StopAtBounds
    contentWidth: width
    contentHeight: stacks.depth * level
    Accessible.role: Accessible.Graphic
    Accessible.name: qsTr("Stacks")
    ScrollBar.vertical: ScrollBar {
        policy: size < 1 ? ScrollBar.AlwaysOn : ScrollBar.AlwaysOff
    }

    Repeater {
        model: graph.stacks

        Rectangle {
            id: block

            required property string name
            required property int depth
            required property real start
            required property real extent
            required property real bytes
            required property real share
            required property int index

            readonly property string title: name || qsTr("all")
            readonly property real room: graph.width - 12

            objectName: "flame"
            x: Math.round(start * room)
            y: depth * graph.level
            width: Math.max(2, Math.round((start + extent) * room) - x - 1)
            height: graph.level - 1
            radius: 2
            color: name ? Theme.faint(graph.tint(name)) : Theme.raised
            border.width: hover.hovered ? 1 : 0
            border.color: Theme.accent
            Accessible.role: Accessible.Button
            Accessible.name: qsTr("%1: about %2, %3").arg(title).arg(Format.bytes(bytes)).arg(Format.share(share))
            Accessible.onPressAction: graph.stacks.zoomTo(index)

            PlainText {
                anchors.fill: parent
                anchors.leftMargin: 4
                anchors.rightMargin: 4
                visible: parent.width > 30
                verticalAlignment: Text.AlignVCenter
                text: block.extent > 0.2 ? block.title + "  " + Format.bytes(block.bytes) : block.title
                color: Theme.text
                font.pixelSize: Theme.small
                elide: Text.ElideRight
            }

            HoverHandler {
                id: hover
            }

            TapHandler {
                onTapped: graph.stacks.zoomTo(block.index)
            }

            PlainTip {
                delay: 400
                pointerX: hover.point.position.x
                text: hover.hovered ? block.Accessible.name : ""
            }
        }
    }
}
