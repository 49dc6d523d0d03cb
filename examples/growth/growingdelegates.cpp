// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A delegate for each entry of a list, also for those that nobody sees. A Return adds 1000 messages. There is no
// window, which would not change what grows.

#include "onreturn.h"

#include <QtCore/QMetaObject>
#include <QtGui/QGuiApplication>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>

#include <memory>

static const char Chat[] = R"(
import QtQuick
Flickable {
    id: chat
    objectName: "chat"
    width: 300; height: 400
    contentHeight: messages.height
    function receive(count: int) {
        for (let i = 0; i < count; ++i)
            list.append({ sender: "Ada", message: "message " + list.count })
    }
    ListModel { id: list }
    Column {
        id: messages
        objectName: "messages"
        // A Repeater makes all of its delegates; a ListView only those that are visible.
        Repeater {
            model: list
            delegate: Row {
                objectName: "bubble"
                required property string sender
                required property string message
                Text { text: sender }
                Text { text: message }
            }
        }
    }
}
)";

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen"); // no window, so no display
    QGuiApplication app(argc, argv);
    QQmlEngine engine;
    QQmlComponent component(&engine);
    component.setData(Chat, QUrl(QStringLiteral("Chat.qml")));
    const std::unique_ptr<QObject> chat(component.create());
    if (!chat) {
        std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
        return 1;
    }
    return growOnReturn([&chat] { QMetaObject::invokeMethod(chat.get(), "receive", Q_ARG(int, 1000)); });
}
