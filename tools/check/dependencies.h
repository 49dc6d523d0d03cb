// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef DEPENDENCIES_H
#define DEPENDENCIES_H

#include <QtCore/qstringlist.h>

// The libraries that a program or library would be loaded with.
struct Dependencies
{
    QStringList found; // their paths, in the order in which symbols are looked up in them
    QStringList missing; // their names
    QString error; // not empty if the dynamic linker could not tell

    // Asks the dynamic linker, which maps the files and runs nothing of them. The \a interpreter is
    // that of a program, or empty; where libraries are looked for is told by this process's
    // environment.
    static Dependencies of(const QString &file, const QString &interpreter);
};

#endif // DEPENDENCIES_H
