// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "commandline.h"
#include "exporter.h"
#include "headlessrun.h"
#include "histogramwindow.h"
#include "monitorfinder.h"
#include "poolmonitor.h"
#include "sharedsegments.h"
#include "viewcontrol.h"
#include "workloadset.h"

#include <qpoolcommandname.h>

#include <QtGui/qguiapplication.h>
#include <QtQuick/qquickwindow.h>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace {

constexpr char ProgramName[] = "qpool-histogram";
constexpr char ProgramVersion[] = QPOOL_HISTOGRAM_VERSION;

int fail(int code, const QString &message)
{
    std::fprintf(stderr, "%s: %s\n", ProgramName, qPrintable(message));
    return code;
}

bool hasDisplay()
{
#if defined(Q_OS_UNIX) && !defined(Q_OS_DARWIN)
    // Qt would abort without a display. An explicit choice of the platform has priority.
    for (const char *variable : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" }) {
        if (!qEnvironmentVariableIsEmpty(variable))
            return true;
    }
    return false;
#else
    return true;
#endif
}

// A headless run without statistics has nothing to report.
QString whyNoStatistics(const PoolMonitor &monitor)
{
    switch (monitor.state()) {
    case PoolMonitor::Missing:
        if (monitor.origin() != PoolMonitor::OwnProcess)
            return monitor.error() + u'.';
        return u"This QtCore has no pool. Start the program with: " QPOOL_COMMAND " run qpool-histogram"_s;
    case PoolMonitor::Disabled:
        return u"The pool is disabled: QT_POOL_ALLOCATOR=0 is set, or there is no memory for it."_s;
    case PoolMonitor::Damaged:
    case PoolMonitor::Incompatible:
        return u"The snapshot cannot be read: %1."_s.arg(monitor.error());
    case PoolMonitor::Gone:
    case PoolMonitor::Waiting:
        return monitor.error() + u'.';
    case PoolMonitor::Nothing: // the list of processes is shown
    case PoolMonitor::Ready:
        break;
    }
    return {};
}

void takeSource(ViewControl *control, const CommandLine &options)
{
    if (!options.openFile.isEmpty())
        control->openFile(options.openFile);
    else if (options.attachPid)
        control->watch(*options.attachPid);
    else if (!options.choose)
        control->watchThis();
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication::setApplicationName(QLatin1StringView(ProgramName));
    QCoreApplication::setApplicationVersion(QLatin1StringView(ProgramVersion));

    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    CommandLine options;
    switch (options.parse(arguments)) {
    case CommandLine::Outcome::Error:
        return fail(2, options.message + u" See --help."_s);
    case CommandLine::Outcome::Help:
        std::fputs(qPrintable(options.message), stdout);
        return 0;
    case CommandLine::Outcome::Version:
        std::printf("%s %s\n", ProgramName, ProgramVersion);
        return 0;
    case CommandLine::Outcome::Go:
        break;
    }

    if (options.headless) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        QQuickWindow::setGraphicsApi(QSGRendererInterface::Software);
    } else if (!hasDisplay()) {
        return fail(1, u"There is no display. Use --headless."_s);
    }

    QGuiApplication application(argc, argv);
    PoolMonitor monitor;
    WorkloadSet workloads;
    Exporter exporter(&monitor);
    ViewControl control(&monitor, std::make_unique<MonitorFinder>(),
                        std::make_unique<SharedSegments>());
    const ViewParts parts { &monitor, &workloads, &control, &exporter };
    takeSource(&control, options);
    if (options.headless) {
        const QString reason = whyNoStatistics(monitor);
        if (!reason.isEmpty())
            return fail(1, reason);
    }

    HistogramWindow window(parts, options);
    if (!window.window())
        return fail(1, u"The window cannot be created: see the messages above."_s);

    if (options.headless)
        return HeadlessRun(parts, &window, options).run();

    window.window()->show();
    // Without a pool the workloads would show nothing.
    if (!options.isOfThisProcess() || monitor.state() == PoolMonitor::Ready)
        workloads.start(options.workloads);
    const int code = QGuiApplication::exec();
    workloads.stop();
    return code;
}
