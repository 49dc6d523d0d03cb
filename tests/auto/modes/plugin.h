// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PLUGIN_H
#define PLUGIN_H

#include <QtCore/QObject>

// What the plugins of this folder do for the test. Only plain functions: the test may delete what they
// create, and they may delete what the test created.
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
