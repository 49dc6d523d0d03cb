// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heapcommandline.h"

#include <qpoolheapsamplereader.h>

#include <QtCore/qcommandlineparser.h>

using namespace Qt::StringLiterals;

std::optional<quint64> HeapCommandLine::intervalOf(QString text)
{
    quint64 unit = 1;
    if (text.endsWith(u'K') || text.endsWith(u'M')) {
        unit = text.endsWith(u'K') ? 1024 : 1024 * 1024;
        text.chop(1);
    }
    bool isNumber = false;
    const quint64 number = text.toULongLong(&isNumber);
    if (!isNumber || number > MostInterval / unit || number * unit < LeastInterval)
        return std::nullopt;
    return number * unit;
}

std::optional<HeapCommandLine> HeapCommandLine::parse(QStringList arguments, QString *error)
{
    QCommandLineParser parser;
    const QCommandLineOption json(u"json"_s);
    const QCommandLineOption csv(u"csv"_s);
    const QCommandLineOption folded(u"folded"_s);
    const QCommandLineOption pprof(u"pprof"_s, {}, u"file"_s);
    const QCommandLineOption on(u"on"_s);
    const QCommandLineOption off(u"off"_s);
    const QCommandLineOption mark(u"mark"_s, {}, u"file"_s);
    const QCommandLineOption since(u"since"_s, {}, u"file"_s);
    const QCommandLineOption seconds(u"seconds"_s, {}, u"seconds"_s);
    const QCommandLineOption inUse(u"in-use"_s);
    const QCommandLineOption allocated(u"allocated"_s);
    const QCommandLineOption lines(u"lines"_s, {}, u"lines"_s);
    const QCommandLineOption help(QStringList { u"h"_s, u"help"_s });
    const QCommandLineOption version(u"version"_s);
    const QList<QCommandLineOption> options { json,    csv,   folded, pprof,     on,    off,  mark,
                                              since,   seconds, inUse, allocated, lines, help, version };
    parser.addOptions(options);
    auto refused = [error](const QString &why) {
        *error = why;
        return std::nullopt;
    };

    // What follows --on is its interval if a process is given, too: a value that may be missing is unknown to the parser.
    HeapCommandLine result;
    const qsizetype place = arguments.indexOf(u"--on"_s);
    QString interval;
    if (place > 0 && place + 1 < arguments.size() && !arguments.at(place + 1).startsWith(u'-')) {
        QStringList rest = arguments;
        interval = rest.takeAt(place + 1);
        QCommandLineParser without;
        without.addOptions(options);
        if (without.parse(rest) && !without.positionalArguments().isEmpty())
            arguments = rest;
        else
            interval.clear();
    }
    if (!parser.parse(arguments)) {
        const QStringList unknown = parser.unknownOptionNames();
        return refused(unknown.isEmpty() ? u"the last option needs a value"_s
                                         : u"unknown option --%1"_s.arg(unknown.first()));
    }
    result.help = parser.isSet(help);
    result.version = parser.isSet(version);
    if (result.help || result.version)
        return result;

    if (parser.isSet(json) + parser.isSet(csv) + parser.isSet(folded) > 1)
        return refused(u"--json, --csv and --folded exclude each other: give only one"_s);
    result.format = parser.isSet(json) ? Json : parser.isSet(csv) ? Csv : parser.isSet(folded) ? Folded : Text;
    if (parser.isSet(on) && parser.isSet(off))
        return refused(u"--on and --off exclude each other: give only one"_s);
    if (parser.isSet(inUse) && parser.isSet(allocated))
        return refused(u"--in-use and --allocated exclude each other: give only one"_s);
    result.byAllocated = parser.isSet(allocated);
    result.off = parser.isSet(off);
    if (parser.isSet(on)) {
        result.on = interval.isEmpty() ? QPool::HeapSampleReader::DefaultInterval : intervalOf(interval);
        if (!result.on)
            return refused(u"--on %1 is no number of bytes from 1K to 1024M"_s.arg(interval));
    }
    const std::pair<const QCommandLineOption &, QString &> files[] = { { pprof, result.pprof },
                                                                       { mark, result.mark },
                                                                       { since, result.since } };
    for (const auto &[option, file] : files) {
        file = parser.value(option);
        if (parser.isSet(option) && file.isEmpty())
            return refused(u"--%1 needs the name of a file"_s.arg(option.names().first()));
    }
    if (parser.isSet(seconds)) {
        bool isNumber = false;
        const double value = parser.value(seconds).toDouble(&isNumber);
        if (!isNumber || !(value >= 0.1 && value <= 86400)) {
            return refused(u"--seconds %1 is no number of seconds from 0.1 to 86400"_s.arg(parser.value(seconds)));
        }
        result.milliseconds = qRound(value * 1000);
    }
    if (parser.isSet(seconds) && parser.isSet(since))
        return refused(u"--since and --seconds exclude each other: give only one"_s);
    if (result.off && parser.isSet(seconds))
        return refused(u"--off and --seconds exclude each other: give only one"_s);
    if (parser.isSet(lines)) {
        bool isNumber = false;
        result.lines = parser.value(lines).toInt(&isNumber);
        if (!isNumber || result.lines < 0)
            return refused(u"--lines %1 is no number of lines"_s.arg(parser.value(lines)));
    }

    const QStringList processes = parser.positionalArguments();
    if (processes.size() > 1)
        return refused(u"unexpected argument %1: only one process can be given"_s.arg(processes.at(1)));
    if (processes.isEmpty()) {
        if (arguments.size() > 1 + (result.format == Json))
            return refused(u"the process ID is missing: without it, there is only --json"_s);
        return result;
    }
    bool isNumber = false;
    result.pid = processes.first().toLongLong(&isNumber);
    if (!isNumber || *result.pid <= 0)
        return refused(u"%1 is not a process ID"_s.arg(processes.first()));
    return result;
}
