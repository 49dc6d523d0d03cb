// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program's main window, shown once: what a program takes until its user may begin.

#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtGui/qaction.h>
#include <QtWidgets/qdockwidget.h>
#include <QtWidgets/qlistwidget.h>
#include <QtWidgets/qmainwindow.h>
#include <QtWidgets/qmenu.h>
#include <QtWidgets/qmenubar.h>
#include <QtWidgets/qstatusbar.h>
#include <QtWidgets/qtextedit.h>
#include <QtWidgets/qtoolbar.h>

namespace {

class Startup : public Scene
{
public:
    void turn(int number) override
    {
        QMainWindow window;
        window.setWindowTitle(QStringLiteral("Window %1").arg(number));
        window.resize(900, 600);
        QToolBar *bar = window.addToolBar(QStringLiteral("Tools"));
        for (const char *title : { "File", "Edit", "View", "Tools", "Help" }) {
            QMenu *menu = window.menuBar()->addMenu(QLatin1String(title));
            for (int i = 0; i < 12; ++i) {
                QAction *action = menu->addAction(
                        QStringLiteral("%1 %2").arg(QLatin1String(title)).arg(i));
                action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_A + i)));
                if (i < 3)
                    bar->addAction(action);
            }
        }
        auto *text = new QTextEdit;
        text->setPlainText(QStringLiteral("Nothing was written yet.\n").repeated(50));
        window.setCentralWidget(text);
        auto *dock = new QDockWidget(QStringLiteral("Files"));
        auto *list = new QListWidget(dock);
        for (int i = 0; i < 200; ++i)
            list->addItem(QStringLiteral("file %1").arg(i));
        dock->setWidget(list);
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        window.statusBar()->showMessage(QStringLiteral("Ready"));
        window.show();
        QCoreApplication::processEvents();
    }
};

const RegisterScene<Startup> scene("startup", 1);

} // namespace
