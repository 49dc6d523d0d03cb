// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "headlessrun.h"

#include "commandline.h"
#include "figureformat.h"
#include "histogramwindow.h"
#include "poolmonitor.h"
#include "textchart.h"
#include "workloadset.h"

#include <QtCore/qbuffer.h>
#include <QtCore/qcoreapplication.h>
#include <QtCore/qsavefile.h>
#include <QtGui/qimage.h>
#include <QtQuick/qquickwindow.h>

#include <chrono>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

void complain(const QString &what)
{
    std::fprintf(stderr, "qpool-histogram: %s\n", qPrintable(what));
}

} // namespace

HeadlessRun::HeadlessRun(PoolMonitor *monitor, WorkloadSet *workloads, HistogramWindow *window,
                         const CommandLine &options)
    : m_monitor(monitor)
    , m_workloads(workloads)
    , m_window(window)
    , m_options(options)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(1s);
    connect(&m_timer, &QTimer::timeout, this, &HeadlessRun::progress);
}

int HeadlessRun::run()
{
    // Better to hear of a bad path now than at the end.
    if (!canWrite(m_options.jsonFile) || !canWrite(m_options.pngFile))
        return 1;
    m_window->window()->show();
    m_workloads->start(m_options.workloads);
    m_timer.start();
    const int code = QCoreApplication::exec();
    m_timer.stop();

    // Still, but with what is live still alive, as nothing would be left to see
    // once the workloads have cleaned up.
    m_workloads->hold();
    m_monitor->sample();
    const bool reported = report();
    m_workloads->stop();
    return reported ? code : 1;
}

void HeadlessRun::progress()
{
    ++m_second;
    std::fprintf(stderr, "%d/%d s  %s allocations, %s/s, %s live\n", m_second, m_options.seconds,
                 qPrintable(FigureFormat::count(qreal(m_monitor->snapshot().totalAllocated()))),
                 qPrintable(FigureFormat::count(m_monitor->allocationsPerSecond())),
                 qPrintable(FigureFormat::bytes(qreal(m_monitor->liveBytes()))));
    if (m_second >= m_options.seconds)
        QCoreApplication::exit(0);
}

bool HeadlessRun::report()
{
    if (m_monitor->state() == PoolMonitor::Damaged) {
        complain(u"The snapshot cannot be read: %1."_s.arg(m_monitor->error()));
        return false;
    }
    if (!m_options.jsonFile.isEmpty() && !write(m_options.jsonFile, m_monitor->json() + '\n'))
        return false;
    if (!m_options.pngFile.isEmpty()) {
        const QImage image = m_window->window()->grabWindow();
        QByteArray png;
        QBuffer buffer(&png);
        if (image.isNull() || !image.save(&buffer, "PNG")) {
            complain(u"The window could not be rendered."_s);
            return false;
        }
        if (!write(m_options.pngFile, png))
            return false;
    }
    if (m_options.text)
        std::fputs(textChart(m_monitor->snapshot()).toUtf8().constData(), stdout);
    return std::fflush(stdout) == 0;
}

bool HeadlessRun::canWrite(const QString &fileName) const
{
    if (fileName.isEmpty())
        return true;
    QSaveFile file(fileName);
    if (file.open(QIODevice::WriteOnly)) {
        file.cancelWriting();
        return true;
    }
    complain(u"%1 cannot be written: %2."_s.arg(fileName, file.errorString()));
    return false;
}

bool HeadlessRun::write(const QString &fileName, const QByteArray &content) const
{
    QSaveFile file(fileName);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return true;
    complain(u"%1 cannot be written: %2."_s.arg(fileName, file.errorString()));
    return false;
}
