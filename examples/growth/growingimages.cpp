// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Images that are made and never destroyed: a slide show that keeps its slides. A Return shows 10 more, of 4 MiB each.
// There is no window, whose textures would come on top.

#include "onreturn.h"

#include <QtCore/QMetaObject>
#include <QtGui/QGuiApplication>
#include <QtGui/QImage>
#include <QtQml/QQmlComponent>
#include <QtQml/QQmlEngine>
#include <QtQuick/QQuickImageProvider>

#include <memory>

class Photos : public QQuickImageProvider
{
public:
    Photos() : QQuickImageProvider(Image) { }

    QImage requestImage(const QString &id, QSize *size, const QSize &) override
    {
        QImage photo(1024, 1024, QImage::Format_RGB32);
        photo.fill(Qt::GlobalColor(Qt::red + id.toInt() % 12));
        *size = photo.size();
        return photo;
    }
};

static const char SlideShow[] = R"(
import QtQuick
Item {
    id: show
    objectName: "show"
    property int count: 0
    Component { id: slide; Image { objectName: "slide" } }
    function next(times: int) {
        for (let i = 0; i < times; ++i) // missing: destroy() of the slide before
            slide.createObject(show, { source: "image://photos/" + count++ })
    }
}
)";

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen"); // no window, so no display
    QGuiApplication app(argc, argv);
    QQmlEngine engine;
    engine.addImageProvider(QStringLiteral("photos"), new Photos);
    QQmlComponent component(&engine);
    component.setData(SlideShow, QUrl(QStringLiteral("SlideShow.qml")));
    const std::unique_ptr<QObject> show(component.create());
    if (!show) {
        std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
        return 1;
    }
    return growOnReturn([&show] { QMetaObject::invokeMethod(show.get(), "next", Q_ARG(int, 10)); });
}
