// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ENDINGS_H
#define ENDINGS_H

#include <QtCore/QByteArray>
#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

// Programs that end in different ways, each run in a separate process. The exit code of all is 0, and
// they print nothing.
QStringList endings();
int runEnding(const QByteArray &name, int &argc, char **argv);

int forkedInSignalHandler(QCoreApplication &); // one of them

#endif // ENDINGS_H
