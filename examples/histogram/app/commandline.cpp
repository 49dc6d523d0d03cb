// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "commandline.h"

#include "workloadset.h"

#include <QtCore/qcommandlineparser.h>
#include <QtCore/qcoreapplication.h>

using namespace Qt::StringLiterals;

namespace {

constexpr int LongestRun = 24 * 60 * 60;
constexpr QSize SmallestWindow(640, 480);
constexpr QSize LargestWindow(7680, 4320);

std::optional<QSize> parseSize(const QString &text)
{
    const QStringList parts = text.split(u'x');
    bool widthOk = false;
    bool heightOk = false;
    if (parts.size() != 2)
        return std::nullopt;
    const QSize size(parts.at(0).toInt(&widthOk), parts.at(1).toInt(&heightOk));
    const bool fits = size.boundedTo(LargestWindow) == size && size.expandedTo(SmallestWindow) == size;
    return widthOk && heightOk && fits ? std::optional(size) : std::nullopt;
}

void addOptions(QCommandLineParser *parser)
{
    parser->addOptions({
            { { u"h"_s, u"help"_s }, u"Show this help."_s },
            { { u"v"_s, u"version"_s }, u"Show the version."_s },
            { u"attach"_s, u"Show the process PID, which must publish its statistics."_s, u"PID"_s },
            { u"choose"_s, u"Start with the list of processes that publish statistics."_s },
            { u"open"_s, u"Show a snapshot saved as JSON."_s, u"FILE"_s },
            { u"page"_s, u"Start with this page: %1."_s.arg(CommandLine::pages().join(u", "_s)),
              u"PAGE"_s, CommandLine::pages().constFirst() },
            { u"view"_s, u"live or cumulative (default: live, headless cumulative)."_s,
              u"VIEW"_s },
            { u"scale"_s, u"log or linear (default: log)."_s, u"SCALE"_s, u"log"_s },
            { u"filter"_s, u"Apply this filter, as in the window's filter field."_s, u"TEXT"_s },
            { u"theme"_s, u"light, dark or system (default: system)."_s, u"THEME"_s, u"system"_s },
            { u"size"_s, u"Size of the window, from 640x480 to 7680x4320 (default: 1280x800)."_s, u"WxH"_s },
            { u"workloads"_s,
              u"Start these workloads: all, none, or some of %1 (default: all)."_s.arg(
                      WorkloadSet::names().join(u',')),
              u"LIST"_s, u"all"_s },
            { u"headless"_s, u"Run without a display, then write the reports and exit."_s },
            { u"seconds"_s, u"Duration of a headless run (default: 5)."_s, u"N"_s, u"5"_s },
            { u"json"_s, u"Headless: write the snapshot to FILE."_s, u"FILE"_s },
            { u"csv"_s, u"Headless: write the statistics as a table to FILE."_s, u"FILE"_s },
            { u"png"_s, u"Headless: write an image of the window to FILE."_s, u"FILE"_s },
            { u"frames"_s, u"Headless: write ten images per second to FOLDER."_s, u"FOLDER"_s },
            { u"tour"_s, u"Headless: show all pages, one after the other."_s },
            { u"text"_s, u"Headless: print the histograms (default if no file is given)."_s },
    });
}

} // namespace

QStringList CommandLine::pages()
{
    return { u"overview"_s, u"arenas"_s, u"memory"_s, u"workloads"_s, u"classes"_s, u"latency"_s, u"sites"_s };
}

CommandLine::Outcome CommandLine::error(const QString &what)
{
    message = what;
    return Outcome::Error;
}

CommandLine::Outcome CommandLine::parse(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
            u"Shows the allocations of a Qt program on a QtCore with the pool allocator."_s);
    addOptions(&parser);

    if (!parser.parse(arguments))
        return error(parser.errorText());
    if (parser.isSet(u"help"_s)) {
        // Without an application object the parser does not know the name of the program.
        message = parser.helpText().replace("<executable_name>"_L1,
                                            QCoreApplication::applicationName());
        return Outcome::Help;
    }
    if (parser.isSet(u"version"_s))
        return Outcome::Version;
    if (!parser.positionalArguments().isEmpty())
        return error(u"Unexpected argument '%1'."_s.arg(parser.positionalArguments().constFirst()));
    return read(parser);
}

CommandLine::Outcome CommandLine::read(const QCommandLineParser &parser)
{
    headless = parser.isSet(u"headless"_s);
    for (const QString &problem : { readReports(parser), readSource(parser), readView(parser) }) {
        if (!problem.isEmpty())
            return error(problem);
    }
    return Outcome::Go;
}

QString CommandLine::readReports(const QCommandLineParser &parser)
{
    for (const QString &option :
         { u"seconds"_s, u"json"_s, u"csv"_s, u"png"_s, u"frames"_s, u"tour"_s, u"text"_s }) {
        if (!headless && parser.isSet(option))
            return u"--%1 needs --headless."_s.arg(option);
        if (parser.isSet(option) && parser.value(option).isEmpty() && option != "text"_L1
            && option != "tour"_L1)
            return u"--%1 needs a value."_s.arg(option);
    }
    bool ok = false;
    seconds = parser.value(u"seconds"_s).toInt(&ok);
    if (!ok || seconds < 1 || seconds > LongestRun) {
        return u"--seconds needs a number from 1 to %1, not '%2'."_s.arg(LongestRun)
                .arg(parser.value(u"seconds"_s));
    }
    jsonFile = parser.value(u"json"_s);
    csvFile = parser.value(u"csv"_s);
    pngFile = parser.value(u"png"_s);
    framesFolder = parser.value(u"frames"_s);
    tour = parser.isSet(u"tour"_s);
    const bool files = !jsonFile.isEmpty() || !csvFile.isEmpty() || !pngFile.isEmpty()
                       || !framesFolder.isEmpty();
    text = parser.isSet(u"text"_s) || (headless && !files);
    return {};
}

QString CommandLine::readSource(const QCommandLineParser &parser)
{
    const QStringList sources { u"attach"_s, u"choose"_s, u"open"_s };
    for (const QString &one : sources) {
        for (const QString &other : sources) {
            if (one < other && parser.isSet(one) && parser.isSet(other))
                return u"--%1 and --%2 exclude each other."_s.arg(one, other);
        }
    }
    if (parser.isSet(u"attach"_s)) {
        bool ok = false;
        attachPid = parser.value(u"attach"_s).toLongLong(&ok);
        if (!ok || *attachPid < 1) {
            return u"--attach needs a process ID, not '%1'."_s.arg(
                    parser.value(u"attach"_s));
        }
    }
    openFile = parser.value(u"open"_s);
    if (parser.isSet(u"open"_s) && openFile.isEmpty())
        return u"--open needs a value."_s;
    choose = parser.isSet(u"choose"_s);

    const QStringList allWorkloads = WorkloadSet::names();
    const QString list = parser.value(u"workloads"_s);
    if (list != "none"_L1 && list != "all"_L1)
        workloads = list.split(u',');
    // By default none if the window shows another process.
    else if (list == "all"_L1 && (isOfThisProcess() || parser.isSet(u"workloads"_s)))
        workloads = allWorkloads;
    for (const QString &name : std::as_const(workloads)) {
        if (!allWorkloads.contains(name)) {
            return u"--workloads needs all, none or names from %1, not '%2'."_s.arg(
                    allWorkloads.join(u", "_s), name);
        }
    }
    return {};
}

QString CommandLine::readView(const QCommandLineParser &parser)
{
    page = int(pages().indexOf(parser.value(u"page"_s)));
    if (page < 0) {
        return u"--page needs one of %1, not '%2'."_s.arg(pages().join(u", "_s), parser.value(u"page"_s));
    }
    cumulative = headless;
    if (parser.isSet(u"view"_s)) {
        const QString view = parser.value(u"view"_s);
        if (view != "live"_L1 && view != "cumulative"_L1)
            return u"--view needs live or cumulative, not '%1'."_s.arg(view);
        cumulative = view == "cumulative"_L1;
    }
    const QString scale = parser.value(u"scale"_s);
    if (scale != "log"_L1 && scale != "linear"_L1)
        return u"--scale needs log or linear, not '%1'."_s.arg(scale);
    logarithmic = scale == "log"_L1;
    filter = parser.value(u"filter"_s);
    theme = parser.value(u"theme"_s);
    if (theme != "light"_L1 && theme != "dark"_L1 && theme != "system"_L1)
        return u"--theme needs light, dark or system, not '%1'."_s.arg(theme);
    if (parser.isSet(u"size"_s)) {
        size = parseSize(parser.value(u"size"_s));
        if (!size) {
            return u"--size needs WIDTHxHEIGHT from 640x480 to 7680x4320, not '%1'."_s.arg(
                    parser.value(u"size"_s));
        }
    }
    return {};
}
