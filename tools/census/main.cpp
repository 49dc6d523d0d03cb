// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/tooloutput.h"
#include "censuscommandline.h"
#include "censusmark.h"
#include "censusreport.h"
#include "objectreport.h"

#include "census/qpoolcensusjson.h"
#include "census/qpoolcensusreader.h"

#include <qpoolcommandname.h>

#include <QtCore/qcoreapplication.h>

#include <chrono>
#include <cstdio>
#include <thread>

using namespace Qt::StringLiterals;
using QPool::Census;
using QPool::CensusReader;

namespace {

using ToolOutput::print;

constexpr char Help[] = R"(usage: qpool-census PID [OPTIONS]

Counts the live objects in the pool of the process PID by class. It reads the process's memory like
a debugger, and neither stops nor changes the process.

  --json, --csv         print the list in this format
  --sort ORDER          count, bytes (default) or growth (default for comparisons)
  --filter TEXT         only classes, domains and modules with this text in their names
  --since FILE          compare with a census that --json wrote to FILE
  --watch SECONDS       take two censuses, SECONDS apart, and compare them; -: take the second when
                        a line arrives on standard input
  --all                 with --since or --watch: as text, also list what did not change
  --fail-if-grows CLASS exit with 1 if there are more objects of that class than before; can be
                        repeated
  --strict              exit with 2 if there are no objects of that class, before or now

  --holders CLASS       instead: who holds the objects of that class: their parents by class,
                        connections, threads, and how many wait for deleteLater()
  --show CLASS          instead: some of its objects, with address, objectName, parents, thread: those
                        with the most children and connections, and the newest. Both with --json, too

Exit codes: 0 on success; 1 if a class of --fail-if-grows grew; 2 if this cannot be determined.
)";

enum ExitCode { Done = 0, Grew = 1, Failed = 2 };

int fail(const QString &message)
{
    return ToolOutput::fail(message, Failed);
}

// Returns false if standard input ended before a line came.
bool waitFor(int milliseconds)
{
    if (milliseconds != CensusCommandLine::UntilLine) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        return true;
    }
    std::fputs("qpool: mark set; a line on standard input starts the second census\n", stderr);
    int c = std::getchar();
    while (c != '\n' && c != EOF)
        c = std::getchar();
    return c == '\n';
}

int report(const CensusCommandLine &line, const Census &census,
           const std::optional<Census> &before)
{
    const auto all = before ? compare(*before, census) : withoutChanges(census);
    auto shown = all;
    sort(shown, line.order.value_or(before ? QPool::CensusOrder::Growth : QPool::CensusOrder::Bytes));
    filter(shown, line.filter.toStdString());
    QByteArray text;
    if (line.format == CensusCommandLine::Json)
        text = QByteArray::fromStdString(toJson(census, shown, before.has_value())) + '\n';
    else if (line.format == CensusCommandLine::Csv)
        text = CensusReport::csv(shown, before.has_value());
    else
        text = CensusReport::text(census, shown, !before ? CensusReport::Single
                                          : line.all ? CensusReport::All : CensusReport::Changed);
    if (!print(text))
        return Failed;

    int result = Done;
    for (const QString &type : line.mustNotGrow) {
        const CensusReport::Growth growth = CensusReport::growthOf(all, type);
        if (!growth.seen) {
            std::fprintf(stderr, "qpool: class %s has no live objects, before or now: check the name\n",
                         type.toUtf8().constData());
            if (line.strict)
                result = Failed;
        } else if (growth.count > 0) {
            std::fprintf(stderr, "qpool: %s grew by %lld to %llu\n", type.toUtf8().constData(),
                         static_cast<long long>(growth.count),
                         static_cast<unsigned long long>(growth.now));
            if (result == Done)
                result = Grew;
        }
    }
    return result;
}

int reportObjects(const CensusCommandLine &line, const CensusReader &reader)
{
    const QString type = line.holders.isEmpty() ? line.show : line.holders;
    QPool::ObjectCensus census;
    std::string message;
    if (!takeObjectCensus(reader, line.pid, type.toStdString(), &census, &message))
        return fail(QString::fromStdString(message));
    const QByteArray text = line.format == CensusCommandLine::Json ? ObjectReport::json(census)
            : line.show.isEmpty()                                  ? ObjectReport::holders(census)
                                                                   : ObjectReport::objects(census);
    return print(text) ? Done : Failed;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QString error;
    const auto line = CensusCommandLine::parse(QCoreApplication::arguments(), &error);
    if (!line)
        return fail(error + u": see " QPOOL_COMMAND " census --help"_s);
    if (line->help)
        return print(Help) ? Done : Failed;
    if (line->version)
        return print("qpool-census " QPOOL_CENSUS_VERSION "\n") ? Done : Failed;

    std::optional<Census> before;
    if (!line->since.isEmpty()) {
        before = CensusMark::read(line->since, &error);
        if (!before)
            return fail(u"cannot compare with %1: %2"_s.arg(line->since, error));
    }
    CensusReader::Error kind;
    std::string message;
    const auto reader = CensusReader::attach(line->pid, &kind, &message);
    if (reader && !(line->holders.isEmpty() && line->show.isEmpty()))
        return reportObjects(*line, *reader);
    Census census;
    if (!reader || !reader->take(&census, &kind, &message))
        return fail(QString::fromStdString(message));
    if (line->watch) {
        before = census;
        if (!waitFor(*line->watch))
            return fail(u"standard input ended before a line came: give --watch a number of seconds"_s);
        if (!reader->take(&census, &kind, &message))
            return fail(QString::fromStdString(message) + u" during the watch"_s);
    }
    if (census.arenas.empty()) {
        std::fprintf(stderr, "qpool: warning: process %lld has taken nothing from its pool: QT_POOL_ALLOCATOR=0"
                             " in its environment disables it, or it is just starting\n",
                     static_cast<long long>(line->pid));
    }
    if (before && before->pid != census.pid)
        std::fprintf(stderr, "qpool: warning: the census to compare with is from another process, %llu\n",
                     static_cast<unsigned long long>(before->pid));
    return report(*line, census, before);
}
