// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COMMANDLINE_H
#define COMMANDLINE_H

#include <QtCore/qstringlist.h>

#include <optional>

// The parsed command line.
struct CommandLine
{
    enum Format { Text, Json, Csv };

    std::optional<qint64> pid; // without it: the list
    QStringList compared; // two files instead; else none
    Format format = Text;
    bool once = false; // print once and exit; implied by Json and Csv without an interval
    int interval = 1000; // milliseconds
    bool repeats = false; // print at every interval
    bool help = false;
    bool version = false;

    // Empty, with \a error set, if the arguments are wrong.
    static std::optional<CommandLine> parse(const QStringList &arguments, QString *error);
};

#endif // COMMANDLINE_H
