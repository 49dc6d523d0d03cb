// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censuscommandline.h"

#include <QtCore/qcommandlineparser.h>

using namespace Qt::StringLiterals;

namespace {

std::optional<QPool::CensusOrder> orderOf(const QString &name)
{
    if (name == "count"_L1)
        return QPool::CensusOrder::Count;
    if (name == "bytes"_L1)
        return QPool::CensusOrder::Bytes;
    if (name == "growth"_L1)
        return QPool::CensusOrder::Growth;
    return std::nullopt;
}

} // namespace

std::optional<CensusCommandLine> CensusCommandLine::parse(const QStringList &arguments,
                                                          QString *error)
{
    QCommandLineParser parser;
    const QCommandLineOption json(u"json"_s);
    const QCommandLineOption csv(u"csv"_s);
    const QCommandLineOption sort(u"sort"_s, {}, u"order"_s);
    const QCommandLineOption filter(u"filter"_s, {}, u"text"_s);
    const QCommandLineOption since(u"since"_s, {}, u"file"_s);
    const QCommandLineOption watch(u"watch"_s, {}, u"seconds"_s);
    const QCommandLineOption fail(u"fail-if-grows"_s, {}, u"class"_s);
    const QCommandLineOption strict(u"strict"_s);
    const QCommandLineOption all(u"all"_s);
    const QCommandLineOption holders(u"holders"_s, {}, u"class"_s);
    const QCommandLineOption show(u"show"_s, {}, u"class"_s);
    const QCommandLineOption help(QStringList { u"h"_s, u"help"_s });
    const QCommandLineOption version(u"version"_s);
    parser.addOptions({ json, csv, sort, filter, since, watch, fail, strict, all, holders, show, help, version });
    auto refused = [error](const QString &why) {
        *error = why;
        return std::nullopt;
    };

    if (!parser.parse(arguments)) {
        const QStringList unknown = parser.unknownOptionNames();
        return refused(unknown.isEmpty() ? u"the last option needs a value"_s
                                         : u"unknown option --%1"_s.arg(unknown.first()));
    }
    CensusCommandLine result;
    result.help = parser.isSet(help);
    result.version = parser.isSet(version);
    if (result.help || result.version)
        return result;
    if (parser.isSet(json) && parser.isSet(csv))
        return refused(u"--json and --csv exclude each other: give only one"_s);
    result.format = parser.isSet(json) ? Json : parser.isSet(csv) ? Csv : Text;
    result.filter = parser.value(filter);
    result.since = parser.value(since);
    result.mustNotGrow = parser.values(fail);
    result.strict = parser.isSet(strict);
    result.all = parser.isSet(all);
    if (parser.isSet(since) && result.since.isEmpty())
        return refused(u"--since needs the name of a file"_s);
    if (parser.isSet(since) && parser.isSet(watch))
        return refused(u"--since and --watch exclude each other: give only one"_s);
    if (parser.isSet(watch)) {
        const QString value = parser.value(watch);
        bool isNumber = false;
        const double seconds = value.toDouble(&isNumber);
        if (value == "-"_L1) {
            result.watch = UntilLine;
        } else if (isNumber && seconds >= 0.1 && seconds <= 86400) {
            result.watch = qRound(seconds * 1000);
        } else {
            return refused(u"--watch %1 is neither a number of seconds from 0.1 to 86400 nor -"_s
                                   .arg(value));
        }
    }
    if (parser.isSet(sort)) {
        result.order = orderOf(parser.value(sort));
        if (!result.order) {
            return refused(u"--sort %1 is none of count, bytes, growth"_s.arg(parser.value(sort)));
        }
        if (result.order == QPool::CensusOrder::Growth && !result.compares())
            return refused(u"--sort growth needs something to compare with: --watch or --since"_s);
    }
    if (!result.mustNotGrow.isEmpty() && !result.compares())
        return refused(u"--fail-if-grows needs something to compare with: --watch or --since"_s);
    if (result.all && !result.compares())
        return refused(u"--all is for comparisons, other lists have everything: use it with --watch or --since"_s);
    if (result.strict && result.mustNotGrow.isEmpty())
        return refused(u"--strict needs classes that must not grow: --fail-if-grows"_s);
    if (result.mustNotGrow.contains(QString()))
        return refused(u"--fail-if-grows needs the name of a class"_s);

    result.holders = parser.value(holders);
    result.show = parser.value(show);
    const bool isOfClass = parser.isSet(holders) || parser.isSet(show);
    if (isOfClass && (parser.isSet(csv) || parser.isSet(sort) || parser.isSet(filter) || result.compares()))
        return refused(u"--holders and --show are of one class at one moment: only --json goes with them"_s);
    if (parser.isSet(holders) && parser.isSet(show))
        return refused(u"--holders and --show exclude each other: give only one"_s);
    if (isOfClass && result.holders.isEmpty() && result.show.isEmpty())
        return refused(u"--holders and --show need the name of a class"_s);

    const QStringList processes = parser.positionalArguments();
    if (processes.isEmpty())
        return refused(u"the process ID is missing"_s);
    if (processes.size() > 1)
        return refused(u"unexpected argument %1: only one process can be given"_s.arg(processes.at(1)));
    bool isNumber = false;
    result.pid = processes.first().toLongLong(&isNumber);
    if (!isNumber || result.pid <= 0)
        return refused(u"%1 is not a process ID"_s.arg(processes.first()));
    return result;
}
