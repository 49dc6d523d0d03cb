// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A QML list with changing delegates: scrolled, filled, emptied.

#include "quickscene.h"

namespace {

const char source[] = R"(
import QtQuick

Item {
    id: page

    function turn(number) {
        for (let i = 0; i < 20; ++i)
            rows.insert(0, { title: "row " + number + "." + i, note: "note on " + i, marked: i % 3 == 0 })
        for (let place = 0; place < 10; ++place) {
            list.positionViewAtIndex((place * 37 + number) % rows.count, ListView.Beginning)
            list.forceLayout()
        }
        for (let i = 0; i < 20; ++i)
            rows.setProperty(i * 3, "title", "changed in turn " + number)
        if (rows.count > 200)
            rows.remove(100, rows.count - 200)
    }

    width: 400; height: 600
    Component.onCompleted: {
        for (let i = 0; i < 200; ++i)
            rows.append({ title: "row " + i, note: "note on " + i, marked: i % 3 == 0 })
    }
    ListModel { id: rows }
    ListView {
        id: list
        anchors.fill: parent
        model: rows
        delegate: Rectangle {
            id: line
            required property int index
            required property string title
            required property string note
            required property bool marked
            width: list.width; height: 30
            color: area.containsMouse || marked ? "lightsteelblue" : "white"
            Row {
                spacing: 4
                Repeater {
                    model: line.index % 3 + 1
                    Rectangle { width: 8; height: 8; radius: 4; color: "steelblue" }
                }
                Text { text: line.title; font.bold: line.marked }
                Text { text: line.note; elide: Text.ElideRight; width: 150 }
            }
            MouseArea { id: area; anchors.fill: parent; hoverEnabled: true }
            Behavior on opacity { NumberAnimation { } }
        }
    }
}
)";

class List : public QuickScene
{
public:
    List()
        : QuickScene(source)
    {
    }
    void turn(int number) override
    {
        call("turn", number);
        render();
    }
};

const RegisterScene<List> scene("list", 6);

} // namespace
