// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "memorycommandline.h"

#include <QtCore/qcommandlineparser.h>

using namespace Qt::StringLiterals;

std::optional<MemoryCommandLine> MemoryCommandLine::parse(const QStringList &arguments, QString *error)
{
    QCommandLineParser parser;
    const QCommandLineOption json(u"json"_s);
    const QCommandLineOption parts(u"parts"_s);
    const QCommandLineOption help(QStringList { u"h"_s, u"help"_s });
    const QCommandLineOption version(u"version"_s);
    parser.addOptions({ json, parts, help, version });
    auto refused = [error](const QString &why) {
        *error = why;
        return std::nullopt;
    };

    if (!parser.parse(arguments)) {
        const QStringList unknown = parser.unknownOptionNames();
        return refused(unknown.isEmpty() ? parser.errorText() : u"unknown option --%1"_s.arg(unknown.first()));
    }
    MemoryCommandLine result;
    result.help = parser.isSet(help);
    result.version = parser.isSet(version);
    if (result.help || result.version)
        return result;
    result.json = parser.isSet(json);
    result.parts = parser.isSet(parts);
    const QStringList processes = parser.positionalArguments();
    if (processes.size() > 1)
        return refused(u"unexpected argument %1: only one process can be given"_s.arg(processes.at(1)));
    if (processes.isEmpty()) {
        if (result.parts)
            return refused(u"--parts needs a process: give its number"_s);
        return result;
    }
    bool isNumber = false;
    result.pid = processes.first().toLongLong(&isNumber);
    if (!isNumber || *result.pid <= 0)
        return refused(u"%1 is not a process ID"_s.arg(processes.first()));
    return result;
}
