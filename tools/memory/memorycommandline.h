// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MEMORYCOMMANDLINE_H
#define MEMORYCOMMANDLINE_H

#include <QtCore/qstringlist.h>

#include <optional>

// The parsed command line.
struct MemoryCommandLine
{
    std::optional<qint64> pid; // none: the list of processes
    bool json = false;
    bool parts = false; // also by name
    bool help = false;
    bool version = false;

    // Empty, with \a error set, if the arguments are wrong.
    static std::optional<MemoryCommandLine> parse(const QStringList &arguments, QString *error);
};

#endif // MEMORYCOMMANDLINE_H
