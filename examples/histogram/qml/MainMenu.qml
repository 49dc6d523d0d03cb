// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls.Basic

// All actions, with their keys.
Sheet {
    id: menu

    // Each { name, text, key, enabled, run }; an entry without text is a separator.
    required property var entries

    function move(step: int) {
        let next = list.currentIndex
        do {
            next = (next + step + entries.length) % entries.length
        } while (!entries[next].text || entries[next].enabled === false)
        list.currentIndex = next
    }

    function run(index: int) {
        const entry = entries[index]
        if (!entry.text || entry.enabled === false)
            return
        close()
        entry.run()
    }

    objectName: "menu"
    panel.x: width - panel.width - Theme.gap
    panel.y: Theme.gap
    panel.width: 290
    panel.height: Math.min(list.contentHeight + 16, height - 2 * Theme.gap)
    Accessible.role: Accessible.PopupMenu
    Accessible.name: qsTr("Menu")
    onVisibleChanged: if (visible) list.currentIndex = 0
    Keys.onUpPressed: move(-1)
    Keys.onDownPressed: move(1)
    Keys.onReturnPressed: run(list.currentIndex)
    Keys.onEnterPressed: run(list.currentIndex)
    Keys.onSpacePressed: run(list.currentIndex)

    ListView {
        id: list

        anchors.fill: parent
        anchors.margins: 8
        clip: true
        focus: true
        boundsBehavior: Flickable.StopAtBounds
        model: menu.entries
        ScrollBar.vertical: ScrollBar { }

        delegate: AbstractButton {
            id: entry

            required property var modelData
            required property int index
            readonly property bool line: !modelData.text

            objectName: modelData.name ? "menu_" + modelData.name : ""
            width: ListView.view.width
            height: line ? 9 : 28
            enabled: !line && modelData.enabled !== false
            focusPolicy: Qt.NoFocus
            hoverEnabled: true
            text: modelData.text ?? ""
            Accessible.role: line ? Accessible.Separator : Accessible.MenuItem
            Accessible.name: text
            Accessible.description: modelData.key ?? ""
            onHoveredChanged: if (hovered) list.currentIndex = index
            onClicked: menu.run(index)

            contentItem: Item {
                Rectangle {
                    anchors.centerIn: parent
                    visible: entry.line
                    width: parent.width
                    height: 1
                    color: Theme.border
                }

                PlainText {
                    x: 4
                    anchors.verticalCenter: parent.verticalCenter
                    text: entry.text
                    color: entry.enabled ? Theme.text : Theme.mutedText
                    opacity: entry.enabled ? 1 : 0.6
                    font.pixelSize: Theme.normal
                }

                Caption {
                    anchors.right: parent.right
                    anchors.rightMargin: 4
                    anchors.verticalCenter: parent.verticalCenter
                    text: entry.modelData.checked ? "✓  " + (entry.modelData.key ?? "")
                                                  : entry.modelData.key ?? ""
                }
            }

            background: Rectangle {
                radius: 6
                color: entry.enabled && list.currentIndex === entry.index ? Theme.accentFill
                                                                          : "transparent"
            }
        }
    }
}
