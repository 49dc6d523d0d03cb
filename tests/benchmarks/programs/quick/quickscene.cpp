// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "quickscene.h"

#include <QtCore/qmetaobject.h>

QuickScene::QuickScene(const char *source)
    : m_component(&m_engine)
{
    m_component.setData(source, QUrl(QStringLiteral("qrc:/scene.qml")));
    m_root.reset(qobject_cast<QQuickItem *>(m_component.create()));
    if (!m_root)
        qFatal("%s", qPrintable(m_component.errorString()));
    m_window.resize(m_root->size().toSize());
    m_root->setParentItem(m_window.contentItem());
}

QuickScene::~QuickScene() = default;

void QuickScene::call(const char *function, const QVariant &argument)
{
    if (!QMetaObject::invokeMethod(m_root.get(), function, Q_ARG(QVariant, argument)))
        qFatal("the scene has no function %s", function);
}
