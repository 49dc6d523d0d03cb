// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "driver.h"

#include <QtGui/qgenericplugin.h>

// Any program with a QGuiApplication loads it when QT_QPA_GENERIC_PLUGINS names it.
class DriverPlugin : public QGenericPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "driver.json")
public:
    QObject *create(const QString &name, const QString &specification) override
    {
        if (name != u"qpooldriver")
            return nullptr;
        return new Driver(specification.split(u':', Qt::SkipEmptyParts));
    }
};

#include "plugin.moc"
