// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COMMANDLINE_H
#define COMMANDLINE_H

#include <QtCore/qsize.h>
#include <QtCore/qstring.h>
#include <QtCore/qstringlist.h>

#include <optional>

QT_BEGIN_NAMESPACE
class QCommandLineParser;
QT_END_NAMESPACE

struct CommandLine
{
    bool headless = false;
    int seconds = 5;
    QString jsonFile;
    QString csvFile;
    QString pngFile;
    QString framesFolder;
    bool tour = false;
    bool text = false;

    // Another source of the statistics than this process.
    QString openFile;
    std::optional<qint64> attachPid;
    bool choose = false;

    QStringList workloads;
    QString theme; // light, dark, system
    int page = 0; // in the order of pages()
    bool cumulative = false;
    bool logarithmic = true;
    QString filter;
    std::optional<QSize> size;

    enum class Outcome { Go, Help, Version, Error };

    // Needs no application object, so that errors are reported even without a display.
    Outcome parse(const QStringList &arguments);

    bool isOfThisProcess() const { return openFile.isEmpty() && !attachPid && !choose; }
    static QStringList pages();

    QString message; // the problem after Error, the text after Help

private:
    Outcome error(const QString &what);
    Outcome read(const QCommandLineParser &parser);
    // These return the problem, or an empty string.
    QString readSource(const QCommandLineParser &parser);
    QString readReports(const QCommandLineParser &parser);
    QString readView(const QCommandLineParser &parser);
};

#endif // COMMANDLINE_H
