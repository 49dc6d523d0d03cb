// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef QUICKSCENE_H
#define QUICKSCENE_H

#include "scene.h"

#include <QtCore/qvariant.h>
#include <QtQml/qqmlcomponent.h>
#include <QtQml/qqmlengine.h>
#include <QtQuick/qquickitem.h>
#include <QtQuick/qquickwindow.h>

#include <memory>

// A QML scene. The window is never shown, because what is drawn would depend on the clock.
class QuickScene : public Scene
{
public:
    // With a root item that has functions to be called.
    explicit QuickScene(const char *source);
    ~QuickScene() override;

protected:
    void call(const char *function, const QVariant &argument);
    void render() { m_window.grabWindow(); }
    QQmlEngine &engine() { return m_engine; }

private:
    QQmlEngine m_engine;
    QQuickWindow m_window;
    QQmlComponent m_component;
    std::unique_ptr<QQuickItem> m_root;
};

#endif // QUICKSCENE_H
