// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "headlessrun.h"

#include "commandline.h"
#include "exporter.h"
#include "histogramwindow.h"
#include "poolmonitor.h"
#include "textchart.h"
#include "workloadset.h"

#include <qpoolstatisticsnumber.h>

#include <QtCore/qcoreapplication.h>
#include <QtCore/qdir.h>
#include <QtQuick/qquickwindow.h>

#include <chrono>
#include <cstdio>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto FrameInterval = 100ms;

void printError(const QString &what)
{
    std::fprintf(stderr, "qpool-histogram: %s\n", qPrintable(what));
}

} // namespace

HeadlessRun::HeadlessRun(const ViewParts &parts, HistogramWindow *window,
                         const CommandLine &options)
    : m_parts(parts)
    , m_window(window)
    , m_options(options)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(1s);
    connect(&m_timer, &QTimer::timeout, this, &HeadlessRun::progress);
    m_frameTimer.setTimerType(Qt::PreciseTimer);
    m_frameTimer.setInterval(FrameInterval);
    connect(&m_frameTimer, &QTimer::timeout, this, &HeadlessRun::takeFrame);
    connect(parts.monitor, &PoolMonitor::stateChanged, this, &HeadlessRun::stopIfGone);
}

bool HeadlessRun::canWriteAll()
{
    for (const QString &fileName : { m_options.jsonFile, m_options.csvFile, m_options.pngFile }) {
        if (!fileName.isEmpty() && !m_parts.exporter->canWrite(fileName)) {
            printError(m_parts.exporter->error());
            return false;
        }
    }
    if (!m_options.framesFolder.isEmpty() && !QDir().mkpath(m_options.framesFolder)) {
        printError(u"The folder %1 cannot be created."_s.arg(m_options.framesFolder));
        return false;
    }
    return true;
}

int HeadlessRun::run()
{
    // A wrong path is reported before the run, not after it.
    if (!canWriteAll())
        return 1;
    m_window->window()->show();
    m_parts.workloads->start(m_options.workloads);
    int code = 0;
    // A file does not change.
    if (m_parts.monitor->origin() != PoolMonitor::SavedFile) {
        m_timer.start();
        if (!m_options.framesFolder.isEmpty())
            m_frameTimer.start();
        code = QCoreApplication::exec();
        m_timer.stop();
        m_frameTimer.stop();
    }

    // The workloads pause, but keep their objects: after stop() nothing would be live.
    m_parts.workloads->hold();
    if (m_parts.monitor->state() == PoolMonitor::Ready)
        m_parts.monitor->sample();
    QCoreApplication::processEvents(); // lets the window settle
    const bool reported = report();
    m_parts.workloads->stop();
    return reported && !m_failed ? code : 1;
}

void HeadlessRun::progress()
{
    ++m_second;
    const PoolMonitor *monitor = m_parts.monitor;
    std::fprintf(stderr, "%d/%d s  %s allocations, %s/s, %s live\n", m_second, m_options.seconds,
                 qPrintable(QPoolStatistics::count(monitor->snapshot().totalAllocated())),
                 qPrintable(QPoolStatistics::rounded(monitor->allocationsPerSecond())),
                 qPrintable(QPoolStatistics::bytes(qreal(monitor->liveBytes()))));
    if (m_second >= m_options.seconds)
        QCoreApplication::exit(0);
    else if (m_options.tour)
        m_window->showPage(int(CommandLine::pages().size()) * m_second / m_options.seconds);
}

void HeadlessRun::takeFrame()
{
    const QString fileName = QDir(m_options.framesFolder)
                                     .filePath(
                                             u"frame-%1.png"_s.arg(++m_frames, 4, 10, QChar(u'0')));
    if (m_parts.exporter->write(Exporter::Png, fileName))
        return;
    printError(m_parts.exporter->error());
    m_failed = true;
    QCoreApplication::exit(1);
}

void HeadlessRun::stopIfGone()
{
    if (m_parts.monitor->state() != PoolMonitor::Gone)
        return;
    printError(u"%1; these are its last statistics."_s.arg(m_parts.monitor->error()));
    QCoreApplication::exit(0);
}

bool HeadlessRun::report()
{
    if (m_parts.monitor->state() == PoolMonitor::Damaged) {
        printError(u"The snapshot cannot be read: %1."_s.arg(m_parts.monitor->error()));
        return false;
    }
    const std::pair<Exporter::Format, QString> files[] = { { Exporter::Json, m_options.jsonFile },
                                                           { Exporter::Csv, m_options.csvFile },
                                                           { Exporter::Png, m_options.pngFile } };
    for (const auto &[format, fileName] : files) {
        if (!fileName.isEmpty() && !m_parts.exporter->write(format, fileName)) {
            printError(m_parts.exporter->error());
            return false;
        }
    }
    if (m_options.text)
        std::fputs(textChart(m_parts.monitor->snapshot()).toUtf8().constData(), stdout);
    return std::fflush(stdout) == 0;
}
