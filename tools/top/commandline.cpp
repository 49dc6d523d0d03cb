// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "commandline.h"

#include <QtCore/qcommandlineparser.h>

using namespace Qt::StringLiterals;

std::optional<CommandLine> CommandLine::parse(const QStringList &arguments, QString *error)
{
    QCommandLineParser parser;
    const QCommandLineOption once(u"once"_s);
    const QCommandLineOption json(u"json"_s);
    const QCommandLineOption csv(u"csv"_s);
    const QCommandLineOption interval(u"interval"_s, {}, u"seconds"_s);
    const QCommandLineOption compare(u"compare"_s);
    const QCommandLineOption help(QStringList { u"h"_s, u"help"_s });
    const QCommandLineOption version(u"version"_s);
    parser.addOptions({ once, json, csv, interval, compare, help, version });
    auto refused = [error](const QString &why) {
        *error = why;
        return std::nullopt;
    };

    if (!parser.parse(arguments)) {
        if (!parser.unknownOptionNames().isEmpty())
            return refused(u"unknown option --%1"_s.arg(parser.unknownOptionNames().first()));
        return refused(u"--interval needs a value"_s);
    }
    CommandLine result;
    result.help = parser.isSet(help);
    result.version = parser.isSet(version);
    result.once = parser.isSet(once);
    if (parser.isSet(json) && parser.isSet(csv))
        return refused(u"--json and --csv exclude each other: give only one"_s);
    result.format = parser.isSet(json) ? Json : parser.isSet(csv) ? Csv : Text;
    if (parser.isSet(interval)) {
        bool isNumber = false;
        const double seconds = parser.value(interval).toDouble(&isNumber);
        if (!isNumber || !(seconds >= 0.1 && seconds <= 3600)) {
            return refused(u"--interval %1 is not a number of seconds from 0.1 to 3600"_s.arg(
                    parser.value(interval)));
        }
        result.interval = qRound(seconds * 1000);
        result.repeats = result.format != Text && !result.once;
    }
    if (parser.isSet(compare)) {
        result.compared = parser.positionalArguments();
        if (result.compared.size() != 2)
            return refused(u"--compare needs two files"_s);
        for (const QCommandLineOption &other : { once, json, csv, interval }) {
            if (parser.isSet(other))
                return refused(u"--compare and --%1 exclude each other"_s.arg(other.names().constFirst()));
        }
        return result;
    }
    const QStringList processes = parser.positionalArguments();
    if (processes.size() > 1)
        return refused(u"unexpected argument %1: only one process can be given"_s.arg(processes.at(1)));
    if (!processes.isEmpty()) {
        bool isNumber = false;
        result.pid = processes.first().toLongLong(&isNumber);
        if (!isNumber || *result.pid <= 0)
            return refused(u"%1 is not a process ID"_s.arg(processes.first()));
    }
    return result;
}
