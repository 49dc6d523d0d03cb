// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick
import QtQuick.Controls

// Thousands of items that are created and destroyed, by a timer and by keys and clicks.
Window {
    id: window

    property int generation: 0

    width: 640; height: 480; visible: true

    Timer {
        interval: 20; repeat: true; running: true
        onTriggered: {
            ++window.generation
            const item = particle.createObject(field, { "x": window.generation * 7 % 600 })
            item.destroy(300)
        }
    }
    Component {
        id: particle
        Rectangle {
            width: 8; height: 8; color: "steelblue"
            NumberAnimation on y { from: 0; to: 400; duration: 300 }
        }
    }
    Item {
        id: field
        anchors.fill: parent
        Repeater {
            model: 100 + window.generation % 4 * 50
            Rectangle {
                required property int index
                x: index * 13 % 640; y: index * 29 % 480; width: 5; height: 5
                color: area.containsMouse ? "orange" : "lightgrey"
                MouseArea { id: area; anchors.fill: parent; hoverEnabled: true }
            }
        }
    }
    Column {
        TextField { placeholderText: "Text" }
        ComboBox { model: ["One", "Two", "Three"] }
        Slider { }
        Button { text: "More"; onClicked: menu.popup() }
        ListView {
            width: 200; height: 200; clip: true
            model: ListModel { id: rows }
            delegate: ItemDelegate { required property string name; text: name }
        }
    }
    Menu {
        id: menu
        MenuItem { text: "Add"; onTriggered: rows.append({ "name": "row " + rows.count }) }
        MenuItem { text: "Clear"; onTriggered: rows.clear() }
    }
    Keys.onPressed: rows.append({ "name": "key" })
}
