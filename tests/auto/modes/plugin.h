// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PLUGIN_H
#define PLUGIN_H

#include <QtCore/QObject>

// What the plugins of this folder do for the test. Only plain functions: the test may delete
// what they make, and they what the test made.
struct PluginInterface
{
    QObject *(*makeObject)();
    QEvent *(*makeEvent)();
    QObject *(*makeWatcher)();
    void (*deleteObject)(QObject *);
    void (*deleteEvent)(QEvent *);
};

using PluginFunction = const PluginInterface *(*)();

#endif // PLUGIN_H
