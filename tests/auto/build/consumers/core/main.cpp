// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtCore/QCoreApplication>
#include <QtCore/QFileInfo>
#include <QtCore/QTimer>

#include <cstdio>
#include <memory>

#include <dlfcn.h>

class Greeter : public QObject
{
    Q_OBJECT

public slots:
    void greet();
};

// Where QtCore is installed: the folder that has its lib.
static QString prefix()
{
    Dl_info info;
    dladdr(reinterpret_cast<void *>(qt_pool_allocator_owns), &info);
    const QString library = QFileInfo(QString::fromLocal8Bit(info.dli_fname)).canonicalFilePath();
    return library.left(library.lastIndexOf(QLatin1String("/lib/")));
}

void Greeter::greet()
{
    std::printf("%s %s\n", qt_pool_allocator_owns(this) ? "pooled" : "not pooled",
                qPrintable(prefix()));
    QCoreApplication::quit();
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const std::unique_ptr<Greeter> greeter(new Greeter);
    QTimer::singleShot(0, greeter.get(), &Greeter::greet);
    return app.exec();
}

#include "main.moc"
