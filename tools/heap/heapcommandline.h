// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HEAPCOMMANDLINE_H
#define HEAPCOMMANDLINE_H

#include <QtCore/qstringlist.h>

#include <optional>

// The parsed command line.
struct HeapCommandLine
{
    enum Format { Text, Json, Csv, Folded };
    static constexpr quint64 LeastInterval = 1024;
    static constexpr quint64 MostInterval = quint64(1) << 30;

    std::optional<qint64> pid; // none: the list of processes
    Format format = Text;
    std::optional<quint64> on; // switch on, with this interval in bytes
    bool off = false;
    QString pprof; // a file for the profile
    QString mark; // a file for a later --since
    QString since;
    int milliseconds = 0; // until a second profile, to compare; 0: none
    bool byAllocated = false; // otherwise by what is in use
    int lines = 20; // 0: all
    bool help = false;
    bool version = false;

    bool compares() const { return milliseconds > 0 || !since.isEmpty(); }

    // Empty, with \a error set, if the arguments are wrong. The first one is the program's name.
    static std::optional<HeapCommandLine> parse(QStringList arguments, QString *error);

    // A number of bytes, such as 64K; empty if it is none, or out of range.
    static std::optional<quint64> intervalOf(QString text);
};

#endif // HEAPCOMMANDLINE_H
