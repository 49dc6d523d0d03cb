// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Shows live what qpool-shared-writer writes into a map in shared memory.

#include "entrymodel.h"

#include <QtCore/qcommandlineparser.h>
#include <QtCore/qtimer.h>
#include <QtGui/qguiapplication.h>
#include <QtQml/qqmlapplicationengine.h>
#include <QtQuick/qquickwindow.h>

#include <cstdio>
#include <cstring>

using namespace Qt::StringLiterals;

int main(int argc, char *argv[])
{
    // The platform must be set before the application is created.
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--headless") == 0) {
            qputenv("QT_QPA_PLATFORM", "offscreen");
            QQuickWindow::setGraphicsApi(QSGRendererInterface::Software);
        }
    }
    QGuiApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(u"Shows a map in shared memory that qpool-shared-writer fills."_s);
    parser.addHelpOption();
    parser.addOptions({ { u"headless"_s, u"Run without a display."_s },
                        { u"changes"_s, u"Exit after this number of changes of the map."_s, u"count"_s },
                        { u"segment"_s, u"Name of the segment."_s, u"name"_s, QLatin1StringView(Board::SegmentName) },
                        { u"png"_s, u"Before exit, save an image of the window."_s, u"file"_s } });
    parser.process(application);

    EntryModel model(parser.value(u"segment"_s));
    QQmlApplicationEngine engine;
    engine.addImportPath(u"qrc:/qt/qml"_s);
    engine.setInitialProperties({ { u"entries"_s, QVariant::fromValue(&model) } });
    engine.load(QUrl(u"qrc:/qt/qml/QPool/SharedView/Main.qml"_s));
    auto *window = engine.rootObjects().isEmpty()
            ? nullptr
            : qobject_cast<QQuickWindow *>(engine.rootObjects().constFirst());
    if (!window) {
        std::fprintf(stderr, "qpool-shared-viewer: the window cannot be created.\n");
        return 1;
    }
    if (parser.isSet(u"changes"_s)) {
        const double wanted = parser.value(u"changes"_s).toDouble();
        const QString file = parser.value(u"png"_s);
        const auto end = [&, file, wanted, ended = false]() mutable {
            if (ended || model.changes() < wanted)
                return;
            ended = true;
            // Queued, so that the views handle the signal first.
            QTimer::singleShot(0, window, [window, file] {
                const bool saved = file.isEmpty() || window->grabWindow().save(file);
                QCoreApplication::exit(saved ? 0 : 1);
            });
        };
        QObject::connect(&model, &EntryModel::changed, &application, end);
        QTimer::singleShot(0, &application, end);
    }
    return QGuiApplication::exec();
}
