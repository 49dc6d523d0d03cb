// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CENSUSCOMMANDLINE_H
#define CENSUSCOMMANDLINE_H

#include "census/qpoolcensus.h"

#include <QtCore/qstringlist.h>

#include <optional>

// The parsed command line.
struct CensusCommandLine
{
    enum Format { Text, Json, Csv };
    static constexpr int UntilLine = -1; // in place of milliseconds: until a line arrives on standard input

    qint64 pid = 0;
    Format format = Text;
    std::optional<QPool::CensusOrder> order; // default: growth in a comparison, otherwise bytes
    QString filter;
    QString since; // a file with a census to compare with
    std::optional<int> watch; // milliseconds
    QStringList mustNotGrow; // classes
    bool strict = false; // it is an error if one of these has no objects
    bool all = false; // a comparison lists also what did not change
    QString holders; // a class: who holds its objects
    QString show; // a class: some of its objects
    bool help = false;
    bool version = false;

    bool compares() const { return watch || !since.isEmpty(); }

    // Empty, with \a error set, if the arguments are wrong.
    static std::optional<CensusCommandLine> parse(const QStringList &arguments, QString *error);
};

#endif // CENSUSCOMMANDLINE_H
