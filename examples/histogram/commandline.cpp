// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "commandline.h"

#include "workloadset.h"

#include <QtCore/qcommandlineparser.h>
#include <QtCore/qcoreapplication.h>

using namespace Qt::StringLiterals;

namespace {

constexpr int LongestRun = 24 * 60 * 60;
constexpr QSize SmallestSize(640, 480);
constexpr QSize LargestSize(7680, 4320);

std::optional<QSize> parseSize(const QString &text)
{
    const QStringList parts = text.split(u'x');
    bool widthOk = false;
    bool heightOk = false;
    if (parts.size() != 2)
        return std::nullopt;
    const QSize size(parts.at(0).toInt(&widthOk), parts.at(1).toInt(&heightOk));
    const bool fits = size.boundedTo(LargestSize) == size && size.expandedTo(SmallestSize) == size;
    return widthOk && heightOk && fits ? std::optional(size) : std::nullopt;
}

} // namespace

CommandLine::Outcome CommandLine::parse(const QStringList &arguments)
{
    const QStringList allWorkloads = WorkloadSet::names();

    QCommandLineParser parser;
    parser.setApplicationDescription(
            u"Shows what a Qt program allocates on a QtCore with the pool allocator."_s);
    const QCommandLineOption helpOption({ u"h"_s, u"help"_s }, u"Show this help."_s);
    const QCommandLineOption versionOption({ u"v"_s, u"version"_s }, u"Show the version."_s);
    const QCommandLineOption headlessOption(
            u"headless"_s, u"Run without a display for a while, then report and end."_s);
    const QCommandLineOption secondsOption(u"seconds"_s, u"How long a headless run takes (5)."_s,
                                           u"N"_s, u"5"_s);
    const QCommandLineOption jsonOption(u"json"_s, u"Headless: write the snapshot to FILE."_s,
                                        u"FILE"_s);
    const QCommandLineOption pngOption(
            u"png"_s, u"Headless: write a picture of the window to FILE."_s, u"FILE"_s);
    const QCommandLineOption textOption(
            u"text"_s, u"Headless: print the histograms; without files this is what is done."_s);
    const QCommandLineOption workloadsOption(
            u"workloads"_s,
            u"Start these: all, none, or some of %1 (all)."_s.arg(allWorkloads.join(u',')),
            u"LIST"_s, u"all"_s);
    const QCommandLineOption viewOption(
            u"view"_s, u"live or cumulative (live in a window, cumulative headless)."_s, u"VIEW"_s);
    const QCommandLineOption themeOption(u"theme"_s, u"light, dark or system (system)."_s,
                                         u"THEME"_s, u"system"_s);
    const QCommandLineOption sizeOption(
            u"size"_s, u"The window's size, from 640x480 to 7680x4320 (1280x800)."_s, u"WxH"_s);
    parser.addOptions({ helpOption, versionOption, headlessOption, secondsOption, jsonOption,
                        pngOption, textOption, workloadsOption, viewOption, themeOption,
                        sizeOption });

    const auto error = [this](const QString &what) {
        message = what;
        return Outcome::Error;
    };

    if (!parser.parse(arguments))
        return error(parser.errorText());
    if (parser.isSet(helpOption)) {
        // Without an application object the parser has no name to put there.
        message = parser.helpText().replace("<executable_name>"_L1,
                                            QCoreApplication::applicationName());
        return Outcome::Help;
    }
    if (parser.isSet(versionOption))
        return Outcome::Version;
    if (!parser.positionalArguments().isEmpty())
        return error(u"Unexpected argument '%1'."_s.arg(parser.positionalArguments().constFirst()));

    headless = parser.isSet(headlessOption);
    for (const auto *option : { &secondsOption, &jsonOption, &pngOption, &textOption }) {
        if (!headless && parser.isSet(*option))
            return error(u"--%1 needs --headless."_s.arg(option->names().constFirst()));
        if (parser.isSet(*option) && parser.value(*option).isEmpty() && option != &textOption)
            return error(u"--%1 needs a value."_s.arg(option->names().constFirst()));
    }

    bool ok = false;
    seconds = parser.value(secondsOption).toInt(&ok);
    if (!ok || seconds < 1 || seconds > LongestRun) {
        return error(u"--seconds takes a number from 1 to %1, not '%2'."_s.arg(LongestRun)
                             .arg(parser.value(secondsOption)));
    }
    jsonFile = parser.value(jsonOption);
    pngFile = parser.value(pngOption);
    text = parser.isSet(textOption) || (headless && jsonFile.isEmpty() && pngFile.isEmpty());

    const QString list = parser.value(workloadsOption);
    if (list == "all"_L1)
        workloads = allWorkloads;
    else if (list != "none"_L1)
        workloads = list.split(u',');
    for (const QString &name : std::as_const(workloads)) {
        if (!allWorkloads.contains(name)) {
            return error(u"--workloads knows all, none, %1, but not '%2'."_s.arg(
                    allWorkloads.join(u", "_s), name));
        }
    }

    cumulative = headless;
    if (parser.isSet(viewOption)) {
        const QString view = parser.value(viewOption);
        if (view != "live"_L1 && view != "cumulative"_L1)
            return error(u"--view takes live or cumulative, not '%1'."_s.arg(view));
        cumulative = view == "cumulative"_L1;
    }
    theme = parser.value(themeOption);
    if (theme != "light"_L1 && theme != "dark"_L1 && theme != "system"_L1)
        return error(u"--theme takes light, dark or system, not '%1'."_s.arg(theme));
    if (parser.isSet(sizeOption)) {
        size = parseSize(parser.value(sizeOption));
        if (!size) {
            return error(u"--size takes WIDTHxHEIGHT from 640x480 to 7680x4320, not '%1'."_s.arg(
                    parser.value(sizeOption)));
        }
    }
    return Outcome::Go;
}
