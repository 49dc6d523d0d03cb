// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/tooloutput.h"
#include "judgement.h"
#include "report.h"

#include <QtCore/qcommandlineparser.h>
#include <QtCore/qcoreapplication.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

using ToolOutput::print;

enum ExitCode { AllRun = 0, SomeRefused = 1, NotJudged = 2 };

int fail(const QString &message)
{
    return ToolOutput::fail(message, NotJudged);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"qpool-check"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(QPOOL_CHECK_VERSION));

    QCommandLineParser parser;
    parser.setApplicationDescription(
            u"Judges, without running them, whether programs, libraries and plugins can run on a Qt "
             "with the pool allocator.\nThe exit code is 0 if nothing is refused, 1 if something is, "
             "and 2 if a file could not be judged."_s);
    const QCommandLineOption json(u"json"_s, u"Print the result as JSON."_s);
    const QCommandLineOption in(u"in"_s, u"Judge the files as plugins that <program> loads."_s,
                                u"program"_s);
    parser.addOptions({ json, in });
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(u"FILE"_s, u"A program, library or plugin; or object files and static libraries, "
                                  "which are judged as if linked into one."_s, u"FILE..."_s);
    if (!parser.parse(QCoreApplication::arguments()))
        return fail(parser.errorText());
    if (parser.isSet(u"help"_s))
        parser.showHelp();
    if (parser.isSet(u"version"_s))
        parser.showVersion();
    if (parser.positionalArguments().isEmpty())
        return fail(u"check needs a program, library or plugin: see --help"_s);

    const bool asText = !parser.isSet(json);
    QList<Judgement> judgements;
    ObjectFiles objects;
    bool hasObjects = false;
    bool failed = false;
    bool written = true;
    for (const QString &file : parser.positionalArguments()) {
        QString error;
        if (ObjectFiles::isOne(file)) {
            hasObjects = true;
            error = objects.add(file);
        } else {
            judgements.append(Judgement::of(file, parser.value(in)));
            error = judgements.last().error;
            if (error.isEmpty() && asText)
                written &= print(textReport(judgements.last()));
        }
        if (!error.isEmpty()) {
            fail(file + ": "_L1 + error);
            failed = true;
        }
    }
    const QList<ObjectFiles::Conflict> conflicts = objects.conflicts();
    if (!asText)
        written &= print(jsonReport(judgements, conflicts));
    else if (hasObjects)
        written &= print(textReport(conflicts));
    if (failed || !written)
        return NotJudged;
    const auto runs = [](const Judgement &judgement) { return judgement.runs(); };
    const bool allRun = conflicts.isEmpty()
            && std::all_of(judgements.begin(), judgements.end(), runs);
    return allRun ? AllRun : SomeRefused;
}
