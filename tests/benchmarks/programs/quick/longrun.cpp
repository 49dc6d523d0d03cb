// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A day of a shell: contents of windows that open and close, lists that grow and shrink, strings,
// images. It shows whether a program that repeats the same work still grows.

#include "quickscene.h"

#include <QtGui/qimage.h>
#include <QtQuick/qquickimageprovider.h>

namespace {

const char source[] = R"(
import QtQuick

Item {
    id: shell

    property var open: []
    property var notes: ({})

    function turn(number) {
        // Some stay open for long, most do not.
        const kind = number % 5 == 0 ? panel : number % 3 == 0 ? menu : tip
        open.push(kind.createObject(shell, { "number": number }))
        if (open.length > 24)
            open.splice(number * 7 % 16, 1)[0].destroy()
        if (number % 40 == 39) {
            while (open.length > 4)
                open.pop().destroy()
        }
        rows.insert(number % (rows.count + 1), { "label": "message " + number + " " + "x".repeat(number * 13 % 200) })
        if (rows.count > 120)
            rows.remove(0, 90)
        list.positionViewAtIndex(number % rows.count, ListView.Center)
        const key = "note " + number % 300
        notes[key] = JSON.stringify({ "turn": number, "text": key.repeat(number % 20), "list": [number, key] })
        if (number % 300 == 299)
            notes = ({})
        picture.source = "image://shell/" + number % 70
    }

    width: 480; height: 360
    ListModel { id: rows }
    ListView {
        id: list
        width: 240; height: 360
        model: rows
        delegate: Rectangle {
            id: message
            required property string label
            required property int index
            width: 240; height: 24
            color: index % 2 ? "white" : "whitesmoke"
            Text { text: message.label; elide: Text.ElideRight; width: 200 }
            MouseArea { anchors.fill: parent }
        }
    }
    Image { id: picture; x: 240; cache: true; asynchronous: false }
    Component {
        id: panel
        Rectangle {
            id: root
            property int number
            x: number % 200; y: 40; width: 200; height: 120
            Grid {
                columns: 4
                Repeater {
                    model: 16 + root.number % 12
                    Rectangle {
                        required property int index
                        width: 20; height: 20; radius: 3
                        Text { text: index + "/" + root.number }
                        MouseArea { anchors.fill: parent; hoverEnabled: true }
                    }
                }
            }
            Image { source: "image://shell/panel" + root.number % 200; cache: false }
        }
    }
    Component {
        id: menu
        Column {
            id: entries
            property int number
            Repeater {
                model: ["Open", "Close", "Move", "Copy", "Delete", "Rename"]
                Text {
                    required property string modelData
                    text: modelData + " " + entries.number
                    Timer { interval: 100000; running: true }
                }
            }
        }
    }
    Component {
        id: tip
        Text {
            property int number
            text: "Tip " + number + ": " + "help ".repeat(number % 30)
            Behavior on x { NumberAnimation { } }
        }
    }
}
)";

// Icons and pictures of all sizes.
class Pictures : public QQuickImageProvider
{
public:
    Pictures()
        : QQuickImageProvider(QQuickImageProvider::Image)
    {
    }
    QImage requestImage(const QString &id, QSize *size, const QSize &) override
    {
        Sequence sides(qHash(id));
        QImage image(16 + sides.below(200), 16 + sides.below(200),
                     QImage::Format_ARGB32_Premultiplied);
        image.fill(QColor::fromHsv(sides.below(360), 200, 200));
        *size = image.size();
        return image;
    }
};

class LongRun : public QuickScene
{
public:
    LongRun()
        : QuickScene(source)
    {
        engine().addImageProvider(QStringLiteral("shell"), new Pictures);
    }
    void turn(int number) override
    {
        call("turn", number);
        if (number % 16 == 0)
            render();
        if (number % 200 == 199)
            engine().collectGarbage();
    }
};

const RegisterScene<LongRun> scene("longrun", 4000);

} // namespace
