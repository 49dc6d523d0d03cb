// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "plugin.h"

#include <QtCore/QEvent>
#include <QtCore/QFutureWatcher>

// Compiled twice: against the distribution's headers, and against the pool's.
namespace {

class Object : public QObject
{
public:
    char payload[40] = {};
};

class Event : public QEvent
{
public:
    Event() : QEvent(QEvent::User) { }
    char payload[40] = {};
};

constexpr PluginInterface interface = {
    []() -> QObject * { return new Object; },
    []() -> QEvent * { return new Event; },
    []() -> QObject * { return new QFutureWatcher<int>; },
    [](QObject *object) { delete object; },
    [](QEvent *event) { delete event; },
};

} // namespace

extern "C" Q_DECL_EXPORT const PluginInterface *pluginInterface()
{
    return &interface;
}
