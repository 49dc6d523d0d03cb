// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef COMMANDLINE_H
#define COMMANDLINE_H

#include <QtCore/qstringlist.h>

#include <optional>

// What the program was asked to do.
struct CommandLine
{
    enum Form { Text, Json, Csv };

    std::optional<qint64> pid; // none: the list
    Form form = Text;
    bool once = false; // print and end; so does any form but Text without an interval
    int interval = 1000; // milliseconds
    bool repeats = false; // print again and again, at that interval
    bool help = false;
    bool version = false;

    // Empty, with \a error set, if it makes no sense.
    static std::optional<CommandLine> parse(const QStringList &arguments, QString *error);
};

#endif // COMMANDLINE_H
