// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtCore/QFileInfo>
#include <QtCore/QTimer>
#include <QtGui/QMouseEvent>
#include <QtNetwork/QTcpServer>
#include <QtWidgets/QApplication>
#include <QtWidgets/QPushButton>

#include <cstdio>

#include <dlfcn.h>

// Where QtGui is installed: the folder that has its lib.
static QString prefix()
{
    Dl_info info;
    dladdr(static_cast<const void *>(qGuiApp->metaObject()->superClass()), &info);
    const QString library = QFileInfo(QString::fromLocal8Bit(info.dli_fname)).canonicalFilePath();
    return library.left(library.lastIndexOf(QLatin1String("/lib/")));
}

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    auto *button = new QPushButton;
    auto *server = new QTcpServer(button);
    auto *event = new QMouseEvent(QEvent::MouseButtonPress, QPointF(1, 1), QPointF(1, 1),
                                  Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    const bool pooled = qt_pool_allocator_owns(button) && qt_pool_allocator_owns(server)
            && qt_pool_allocator_owns(event);
    button->show();
    QCoreApplication::postEvent(button, event);
    QTimer::singleShot(0, button, [&] {
        std::printf("%s %s %s\n", pooled ? "pooled" : "not pooled",
                    qPrintable(QGuiApplication::platformName()), qPrintable(prefix()));
        QCoreApplication::quit();
    });
    const int result = app.exec();
    delete button;
    return result;
}
