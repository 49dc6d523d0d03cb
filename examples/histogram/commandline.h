// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COMMANDLINE_H
#define COMMANDLINE_H

#include <QtCore/qsize.h>
#include <QtCore/qstring.h>
#include <QtCore/qstringlist.h>

#include <optional>

struct CommandLine
{
    bool headless = false;
    int seconds = 5;
    QString jsonFile;
    QString pngFile;
    bool text = false;
    QStringList workloads;
    QString theme; // light, dark, system
    bool cumulative = false;
    std::optional<QSize> size;

    enum class Outcome { Go, Help, Version, Error };

    // Needs no application object: a bad value is reported even where no
    // window could be opened.
    Outcome parse(const QStringList &arguments);

    QString message; // the complaint after Error, the text after Help
};

#endif // COMMANDLINE_H
