// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef DEPENDENCIES_H
#define DEPENDENCIES_H

#include <QtCore/qstringlist.h>

// The libraries with which a program or library would be loaded.
struct Dependencies
{
    QStringList found; // their paths, in the order in which symbols are looked up in them
    QStringList missing; // their names
    QString error; // not empty if the dynamic linker could not tell

    // Asks the dynamic linker, which maps the files and runs none of their code. \a interpreter is
    // that of a program, or empty. This process's environment determines where libraries are
    // searched.
    static Dependencies of(const QString &file, const QString &interpreter);
};

#endif // DEPENDENCIES_H
