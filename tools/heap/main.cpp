// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/tooloutput.h"
#include "heapcommandline.h"
#include "heapformats.h"
#include "pprofprofile.h"

#include <qpoolcommandname.h>
#include <qpoolheapsamplereader.h>
#include <qpoolmonitoredprocess.h>
#include <qpoolprintabletext.h>
#include <qpoolstatisticsnumber.h>
#include <qpoolwholefile.h>

#include <QtCore/qcoreapplication.h>
#include <QtCore/qfile.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

#include <chrono>
#include <cstdio>
#include <thread>

using namespace Qt::StringLiterals;
using QPool::HeapProfile;
using QPool::HeapSampleReader;
namespace HeapSites = QPool::HeapSites;

namespace {

using ToolOutput::fail;
using ToolOutput::print;

constexpr char Help[] = R"(usage: qpool-heap [PID] [OPTIONS]

Shows which code allocated what the process PID has in use, by samples of its call stacks. Switches
sampling on if it is off; what was allocated before is not seen. Numbers are estimates. Without PID,
lists the processes that publish, and whether they are sampled.

  --on [INTERVAL]   switch sampling on, a sample every INTERVAL bytes in the mean: 1K to 1024M, by
                    default 512K
  --off             switch it off, after the last report
  --seconds N       report what grew within N seconds
  --mark FILE       also write the report to FILE, for --since
  --since FILE      report what grew since --mark, or --json, wrote FILE

  --in-use          the largest first by what is in use (default)
  --allocated       by what was allocated since sampling began
  --lines N         at most N lines (default 20; 0: all)
  --json, --csv     print the report in this format
  --folded          print a line a stack, for flame graphs
  --pprof FILE      also write FILE, for pprof

Exit codes: 0 on success; 1 if the process cannot be sampled, or not be read; 2 if there is no such
process, and for wrong arguments.
)";

enum ExitCode { Done = 0, Failed = 1, Wrong = 2 };

int fail(HeapSampleReader::Error error, const std::string &message)
{
    return fail(QString::fromStdString(message), error == HeapSampleReader::NoProcess ? Wrong : Failed);
}

bool write(const QString &path, const QByteArray &bytes, QString *error)
{
    if (QPoolStatistics::writeWhole(path, bytes, error))
        return true;
    *error = u"cannot write %1: %2"_s.arg(QPoolStatistics::printable(path), *error);
    return false;
}

int listAll(bool json)
{
    QString text;
    QJsonArray array;
    for (const QPool::ListedProcess &listed : QPool::listProcesses()) {
        HeapSampleReader::Error error;
        std::string message;
        std::uint64_t interval = 0;
        const auto reader = HeapSampleReader::attach(listed.pid, &error, &message);
        const bool can = reader && reader->readInterval(&interval, &error, &message);
        array.append(QJsonObject { { u"pid"_s, qint64(listed.pid) },
                                   { u"canBeSampled"_s, can },
                                   { u"interval"_s, qint64(interval) } });
        text += QString::number(listed.pid).rightJustified(9) + u"  "_s
                + (!can ? QString::fromStdString(message)
                   : interval ? u"a sample every "_s + QPoolStatistics::bytes(double(interval))
                              : u"sampling is off"_s)
                + u'\n';
    }
    if (json)
        return print(QJsonDocument(array).toJson(QJsonDocument::Compact) + '\n') ? Done : Failed;
    if (text.isEmpty())
        text = u"no process publishes statistics: start one with " QPOOL_COMMAND " run\n"_s;
    return print(text.toUtf8()) ? Done : Failed;
}

QByteArray textOf(const HeapReport &report, HeapCommandLine::Format format)
{
    switch (format) {
    case HeapCommandLine::Json:
        return report.json();
    case HeapCommandLine::Csv:
        return report.csv();
    case HeapCommandLine::Folded:
        return report.folded();
    case HeapCommandLine::Text:
        break;
    }
    return report.text();
}

// Switches as the command line says.
bool prepare(const HeapCommandLine &line, const HeapSampleReader &reader, HeapSampleReader::Error *error,
             std::string *message)
{
    std::uint64_t before = 0;
    if (!reader.readInterval(&before, error, message))
        return false;
    if (line.off || (before != 0 && !line.on))
        return true;
    const quint64 interval = line.on.value_or(HeapSampleReader::DefaultInterval);
    if (!reader.writeInterval(interval, error, message))
        return false;
    if (before == 0) {
        std::fprintf(stderr, "qpool: sampling is on from now on, every %s\n",
                     QPoolStatistics::bytes(double(interval)).toUtf8().constData());
    }
    return true;
}

int report(const HeapCommandLine &line, const HeapSampleReader &reader)
{
    HeapSampleReader::Error error;
    std::string message;
    QString problem;
    std::optional<std::map<std::string, double>> before;
    if (!line.since.isEmpty()) {
        QFile file(line.since);
        const auto mark = file.open(QIODevice::ReadOnly) ? HeapReport::read(file.readAll(), &problem) : std::nullopt;
        if (!file.isOpen())
            problem = file.errorString();
        if (!mark)
            return fail(u"cannot compare with %1: %2"_s.arg(QPoolStatistics::printable(line.since), problem), Wrong);
        if (mark->pid != quint64(*line.pid)) {
            std::fprintf(stderr, "qpool: warning: the report to compare with is from another process, %llu\n",
                         static_cast<unsigned long long>(mark->pid));
        }
        before = mark->inUse;
    }
    if (!prepare(line, reader, &error, &message))
        return fail(error, message);
    HeapReport report;
    QPool::HeapProfile first;
    QPool::StackNames names(reader.memory());
    if (line.milliseconds > 0) {
        if (!reader.read(&first, &error, &message))
            return fail(error, message);
        std::this_thread::sleep_for(std::chrono::milliseconds(line.milliseconds));
    }
    if (!reader.read(&report.profile, &error, &message))
        return fail(error, message);
    // Names take up to seconds to find, during which the process allocates.
    if (line.milliseconds > 0)
        before = HeapSites::bytesByKey(HeapSites::of(names.of(first), false));
    report.stacks = names.of(report.profile);
    report.sites = HeapSites::of(report.stacks, line.byAllocated, before ? &*before : nullptr);
    report.compared = before.has_value();
    report.byAllocated = line.byAllocated;
    report.lines = line.lines;
    if (line.off && !reader.writeInterval(0, &error, &message))
        return fail(error, message);

    if (!line.mark.isEmpty() && !write(line.mark, report.json(), &problem))
        return fail(problem, Failed);
    if (!line.pprof.isEmpty()) {
        const QByteArray profile = PprofProfile::compressed(
                PprofProfile::message(report.profile, report.stacks, line.byAllocated));
        if (profile.isEmpty() || !write(line.pprof, profile, &problem))
            return fail(profile.isEmpty() ? u"there is no memory for the profile"_s : problem, Failed);
    }
    return print(textOf(report, line.format)) ? Done : Failed;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QString problem;
    const auto line = HeapCommandLine::parse(QCoreApplication::arguments(), &problem);
    if (!line)
        return fail(problem + u": see " QPOOL_COMMAND " heap --help"_s, Wrong);
    if (line->help)
        return print(Help) ? Done : Failed;
    if (line->version)
        return print("qpool-heap " QPOOL_HEAP_VERSION "\n") ? Done : Failed;
    if (!line->pid)
        return listAll(line->format == HeapCommandLine::Json);
    HeapSampleReader::Error error;
    std::string message;
    const auto reader = HeapSampleReader::attach(*line->pid, &error, &message);
    return reader ? report(*line, *reader) : fail(error, message);
}
