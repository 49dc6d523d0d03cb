// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "judgement.h"
#include "report.h"

#include <QtCore/qcommandlineparser.h>
#include <QtCore/qcoreapplication.h>

#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace {

enum ExitCode { AllRun = 0, SomeRefused = 1, NotJudged = 2 };

int fail(const QString &message)
{
    std::fprintf(stderr, "qpool: %s\n", message.toLocal8Bit().constData());
    return NotJudged;
}

bool print(const QByteArray &text)
{
    return std::fwrite(text.constData(), 1, std::size_t(text.size()), stdout)
            == std::size_t(text.size())
            && std::fflush(stdout) == 0;
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
    parser.addPositionalArgument(u"FILE"_s, u"A program, library or plugin."_s, u"FILE..."_s);
    if (!parser.parse(QCoreApplication::arguments()))
        return fail(parser.errorText());
    if (parser.isSet(u"help"_s))
        parser.showHelp();
    if (parser.isSet(u"version"_s))
        parser.showVersion();
    if (parser.positionalArguments().isEmpty())
        return fail(u"check needs a program, library or plugin: see --help"_s);

    QList<Judgement> judgements;
    for (const QString &file : parser.positionalArguments()) {
        judgements.append(Judgement::of(file, parser.value(in)));
        const Judgement &judgement = judgements.last();
        if (!judgement.error.isEmpty())
            fail(file + ": "_L1 + judgement.error);
        else if (!parser.isSet(json) && !print(textReport(judgement)))
            return fail(u"cannot write to standard output"_s);
    }
    if (parser.isSet(json) && !print(jsonReport(judgements)))
        return fail(u"cannot write to standard output"_s);

    const auto hasError = [](const Judgement &judgement) { return !judgement.error.isEmpty(); };
    const auto runs = [](const Judgement &judgement) { return judgement.runs(); };
    if (std::any_of(judgements.begin(), judgements.end(), hasError))
        return NotJudged;
    return std::all_of(judgements.begin(), judgements.end(), runs) ? AllRun : SomeRefused;
}
