// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/tooloutput.h"
#include "commandline.h"
#include "comparison.h"
#include "export.h"
#include "processscreen.h"
#include "viewer.h"

#include <qpoolcommandname.h>
#include <qpoolstatisticstable.h>

#include <QtCore/qcoreapplication.h>
#include <QtCore/qdatetime.h>

#include <clocale>
#include <cstdio>
#include <cstring>
#include <thread>

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using QPool::MonitoredProcess;

namespace {

using ToolOutput::fail;
using ToolOutput::print;

constexpr char Help[] = R"(usage: qpool-top [PID] [--once] [--json | --csv] [--interval SECONDS]
       qpool-top --compare BEFORE AFTER

Shows live statistics of the pool of the process PID. Without PID, lists the processes that
publish statistics, and the segments of shared memory.

  --once             print the statistics once and exit
  --json, --csv      print them once in this format; with --interval, repeatedly. JSON
                     includes object caches, event latency, the time and the command line, and,
                     without --interval, the live objects by class
  --interval SECONDS time between two readings (default: 1)
  --compare          what grew from one saved session to another, by class and by size: files
                     that --json or the window wrote
)";

// Must be called before Qt sets the locale, because Qt replaces a locale that is not UTF-8.
bool hasUnicode()
{
    std::setlocale(LC_CTYPE, "");
    if (std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
        return true;
    qputenv("LC_ALL", "C.UTF-8");
    return false;
}

bool print(const ScreenLines &lines)
{
    QByteArray text;
    for (const ScreenLine &line : lines)
        text += line.plainText().toUtf8() + '\n';
    return print(text);
}

ScreenForm pageForm(bool unicode)
{
    winsize size = {};
    ScreenForm form;
    form.unicode = unicode;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        form.columns = size.ws_col;
    return form;
}

// One reading of the process, or the list of processes. Empty if the process publishes no more.
std::optional<QByteArray> readText(const CommandLine &line, MonitoredProcess *process)
{
    if (!process) {
        const ProcessList list = QPool::listProcesses();
        return line.format == CommandLine::Json ? Export::json(list) : Export::csv(list);
    }
    const QPool::ProcessStatistics statistics = process->read();
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    // A stream of readings must not take as long as a census each time.
    const QByteArray text = line.format == CommandLine::Json
            ? Export::json(statistics, process->readCaches(), process->readLatency(),
                           Export::sessionOf(process->pid(), now, !line.repeats))
            : Export::csv(statistics, now);
    if (process->state() != MonitoredProcess::Publishing)
        return std::nullopt;
    return text;
}

int exportStatistics(const CommandLine &line, MonitoredProcess *process)
{
    if (line.format == CommandLine::Csv && process && !print(QPoolStatistics::tableHeading()))
        return 1;
    auto due = std::chrono::steady_clock::now();
    for (;;) {
        const auto text = readText(line, process);
        if (!text) {
            if (process->state() != MonitoredProcess::Gone)
                return fail(u"process %1 has stopped publishing"_s.arg(process->pid()), 1);
            // With --interval, the end of the process is not a failure.
            return fail(u"process %1 has ended"_s.arg(process->pid()), line.repeats ? 0 : 1);
        }
        if (!print(*text))
            return 1;
        if (!line.repeats)
            return 0;
        // What was due while this process was stopped is left out.
        due = std::max(due + std::chrono::milliseconds(line.interval), std::chrono::steady_clock::now());
        std::this_thread::sleep_until(due);
    }
}

int printPage(std::unique_ptr<MonitoredProcess> process, bool unicode)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const ScreenForm form = pageForm(unicode);
    if (!process)
        return print(listScreen(QPool::listProcesses(), 0, {}, form, now,
                                QPool::SharedSegment::list())) ? 0 : 1;
    FollowedProcess followed(std::move(process));
    followed.sample(0);
    ProcessView view;
    return print(processScreen(followed, view, form, now)) ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    const bool unicode = hasUnicode();
    QCoreApplication app(argc, argv);
    QString error;
    const auto line = CommandLine::parse(QCoreApplication::arguments(), &error);
    if (!line)
        return fail(error + u": see " QPOOL_COMMAND " top --help"_s, 2);
    if (line->help)
        return print(QByteArray(Help)) ? 0 : 1;
    if (line->version)
        return print("qpool-top " QPOOL_TOP_VERSION "\n") ? 0 : 1;

    if (!line->compared.isEmpty()) {
        const auto text = Comparison::text(line->compared.at(0), line->compared.at(1), &error);
        if (!text)
            return fail(error, 1);
        return print(*text) ? 0 : 1;
    }

    std::unique_ptr<MonitoredProcess> process;
    if (line->pid) {
        MonitoredProcess::Error kind;
        std::string message;
        process = MonitoredProcess::attach(*line->pid, &kind, &message);
        if (!process)
            return fail(QString::fromStdString(message), 1);
    }
    if (line->format != CommandLine::Text)
        return exportStatistics(*line, process.get());

    auto terminal = line->once ? nullptr : Terminal::open(unicode);
    if (!terminal)
        return printPage(std::move(process), unicode);
    Viewer viewer(*terminal, line->interval);
    if (process)
        viewer.follow(std::move(process));
    else
        viewer.showList();
    terminal.reset();
    Terminal::resendSignal();
    return 0;
}
