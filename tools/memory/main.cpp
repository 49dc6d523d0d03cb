// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/tooloutput.h"
#include "memorycommandline.h"
#include "memoryreport.h"

#include <qpoolcommandname.h>
#include <qpoolmonitoredprocess.h>

#include <QtCore/qcoreapplication.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>

using namespace Qt::StringLiterals;
using QPool::ResidentMemory;
using QPool::ResidentMemoryReader;

namespace {

using ToolOutput::fail;
using ToolOutput::print;

constexpr char Help[] = R"(usage: qpool-memory [PID] [--json] [--parts]

Divides the resident memory of the process PID among its owners, and lists what the process takes
beyond it. Without PID, lists the processes that publish statistics. It reads the process's memory
like a debugger, and neither stops nor changes the process.

  --json   print the same as JSON
  --parts  also list what the owners' memory consists of, by name: libraries, files

Exit codes: 0 on success; 1 if the process may not be read; 2 if there is no such process, and for
wrong arguments.
)";

enum ExitCode { Done = 0, Failed = 1, Wrong = 2 };

int printed(const QByteArray &text)
{
    return print(text) ? Done : Failed;
}

template <class Json>
QByteArray lineOf(const Json &json)
{
    return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

int listAll(bool json)
{
    std::vector<ResidentMemory> processes;
    QJsonArray array;
    for (const QPool::ListedProcess &listed : QPool::listProcesses()) {
        ResidentMemory memory;
        ResidentMemoryReader::Error error;
        std::string message;
        if (!ResidentMemoryReader(listed.pid).read(&memory, &error, &message))
            continue; // it has just ended
        array.append(MemoryReport::json(memory));
        processes.push_back(std::move(memory));
    }
    if (json)
        return printed(lineOf(array));
    if (processes.empty())
        return printed("no process publishes statistics: start one with " QPOOL_COMMAND " run, or give the number of any process\n");
    return printed(MemoryReport::list(processes));
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QString problem;
    const auto line = MemoryCommandLine::parse(QCoreApplication::arguments(), &problem);
    if (!line)
        return fail(problem + u": see " QPOOL_COMMAND " memory --help"_s, Wrong);
    if (line->help)
        return printed(Help);
    if (line->version)
        return printed("qpool-memory " QPOOL_MEMORY_VERSION "\n");
    if (!line->pid)
        return listAll(line->json);

    ResidentMemory memory;
    ResidentMemoryReader::Error error;
    std::string message;
    if (!ResidentMemoryReader(*line->pid).read(&memory, &error, &message))
        return fail(QString::fromStdString(message), error == ResidentMemoryReader::NoProcess ? Wrong : Failed);
    return printed(line->json ? lineOf(MemoryReport::json(memory)) : MemoryReport::text(memory, line->parts));
}
