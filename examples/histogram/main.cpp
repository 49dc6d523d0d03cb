// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "commandline.h"
#include "headlessrun.h"
#include "histogramwindow.h"
#include "poolmonitor.h"
#include "workloadset.h"

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
    // Qt would abort without one. Any explicit choice of platform is left alone.
    for (const char *variable : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" }) {
        if (!qEnvironmentVariableIsEmpty(variable))
            return true;
    }
    return false;
#else
    return true;
#endif
}

// A headless run without a pool has nothing to report.
QString whyNoFigures(const PoolMonitor &monitor)
{
    switch (monitor.state()) {
    case PoolMonitor::Missing:
        return u"This QtCore has no pool. Start the program with: ./qpool run qpool-histogram"_s;
    case PoolMonitor::Disabled:
        return u"The pool stands aside: QT_POOL_ALLOCATOR=0 is set, or there was no memory for it."_s;
    case PoolMonitor::Damaged:
        return u"The snapshot cannot be read: %1."_s.arg(monitor.error());
    case PoolMonitor::Ready:
        break;
    }
    return {};
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
    if (options.headless) {
        const QString reason = whyNoFigures(monitor);
        if (!reason.isEmpty())
            return fail(1, reason);
    }

    WorkloadSet workloads;
    HistogramWindow window(&monitor, &workloads, options);
    if (!window.window())
        return fail(1, u"The window could not be made: see the messages above."_s);

    if (options.headless)
        return HeadlessRun(&monitor, &workloads, &window, options).run();

    window.window()->show();
    if (monitor.state() == PoolMonitor::Ready)
        workloads.start(options.workloads);
    const int code = QGuiApplication::exec();
    workloads.stop();
    return code;
}
