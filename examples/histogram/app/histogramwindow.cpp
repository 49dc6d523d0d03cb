// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "histogramwindow.h"

#include "commandline.h"
#include "exporter.h"
#include "poolmonitor.h"
#include "viewcontrol.h"
#include "workloadset.h"

#include <QtGui/qscreen.h>
#include <QtQuick/qquickwindow.h>

using namespace Qt::StringLiterals;

// The module is linked statically; without this reference the linker would omit its registration.
extern void qml_register_types_QPool_Histogram();

HistogramWindow::HistogramWindow(const ViewParts &parts, const CommandLine &options)
{
    [[maybe_unused]] static void (*volatile keep)() = &qml_register_types_QPool_Histogram;

    // The rates of workloads are updated with the statistics.
    QObject::connect(parts.monitor, &PoolMonitor::sampled, parts.workloads, &WorkloadSet::refresh);
    parts.monitor->setFilter(options.filter);

    m_engine.addImportPath(u"qrc:/qt/qml"_s); // not yet a default in Qt 6.4
    m_engine.setInitialProperties({
            { u"monitor"_s, QVariant::fromValue(parts.monitor) },
            { u"workloads"_s, QVariant::fromValue(parts.workloads) },
            { u"control"_s, QVariant::fromValue(parts.control) },
            { u"exporter"_s, QVariant::fromValue(parts.exporter) },
            { u"page"_s, options.page },
            { u"choosing"_s, options.choose },
            { u"cumulative"_s, options.cumulative },
            { u"logarithmic"_s, options.logarithmic },
            { u"theme"_s, options.theme },
            // A single image must not show an unfinished animation.
            { u"animated"_s, !options.headless || !options.framesFolder.isEmpty() },
    });
    m_engine.load(QUrl(u"qrc:/qt/qml/QPool/Histogram/Main.qml"_s));
    if (m_engine.rootObjects().isEmpty())
        return;
    m_window = qobject_cast<QQuickWindow *>(m_engine.rootObjects().constFirst());
    if (!m_window)
        return;
    parts.exporter->setWindow(m_window);
    if (options.size)
        m_window->resize(*options.size);
    else if (!options.headless) // with room for a title bar
        m_window->resize(m_window->size().boundedTo(m_window->screen()->availableSize() - QSize(0, 48)));
}

void HistogramWindow::showPage(int page)
{
    m_window->setProperty("page", page);
}
