// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "histogramwindow.h"

#include "commandline.h"
#include "poolmonitor.h"
#include "workloadset.h"

#include <QtQuick/qquickwindow.h>

using namespace Qt::StringLiterals;

// The module is linked statically; without a reference to its registration the
// linker would leave that out.
extern void qml_register_types_QPool_Histogram();

HistogramWindow::HistogramWindow(PoolMonitor *monitor, WorkloadSet *workloads,
                                 const CommandLine &options)
{
    [[maybe_unused]] static void (*volatile keep)() = &qml_register_types_QPool_Histogram;

    // Figures are shown as they come, at one rate; the window follows.
    QObject::connect(monitor, &PoolMonitor::sampled, workloads, &WorkloadSet::refresh);

    m_engine.addImportPath(u"qrc:/qt/qml"_s); // not yet a default in Qt 6.4
    m_engine.setInitialProperties({
            { u"monitor"_s, QVariant::fromValue(monitor) },
            { u"workloads"_s, QVariant::fromValue(workloads) },
            { u"cumulative"_s, options.cumulative },
            { u"theme"_s, options.theme },
            // A still picture must not be taken in the middle of a movement.
            { u"animated"_s, !options.headless },
    });
    m_engine.load(QUrl(u"qrc:/qt/qml/QPool/Histogram/Main.qml"_s));
    if (m_engine.rootObjects().isEmpty())
        return;
    m_window = qobject_cast<QQuickWindow *>(m_engine.rootObjects().constFirst());
    if (m_window && options.size)
        m_window->resize(*options.size);
}
