// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heapformats.h"

#include <qpoolheapnames.h>
#include <qpoolstatisticscsv.h>
#include <qpoolstatisticsnumber.h>

#include <climits>
#include <cmath>

using namespace Qt::StringLiterals;
using QPool::HeapProfile;
using QPool::HeapSite;
using QPool::NamedStack;
namespace HeapNames = QPool::HeapNames;

namespace {

// Longer names are cut: with their templates' arguments, some fill the terminal.
constexpr qsizetype MostColumns = 100;

QString textOf(const std::string &text)
{
    const QString all = QString::fromStdString(text);
    return all.size() > MostColumns ? all.left(MostColumns - 1) + u'…' : all;
}

QString bytesOf(double bytes)
{
    return QPoolStatistics::bytes(bytes);
}

QString growthOf(double bytes)
{
    const QString size = bytesOf(std::abs(bytes));
    return bytes > 0 ? u'+' + size : bytes < 0 ? u'-' + size : u"–"_s;
}

QString intervalText(const HeapProfile &profile)
{
    return profile.interval ? u"one sample every %1"_s.arg(bytesOf(double(profile.interval)))
                            : u"sampling is off"_s;
}

} // namespace

QByteArray HeapReport::text() const
{
    const HeapProfile::Sum inUse = profile.inUse();
    const HeapProfile::Sum allocated = profile.allocated();
    QString result = u"process %1: about %2 in use and %3 allocated since sampling began, by %4 samples, %5\n"_s.arg(
            QString::number(profile.pid), bytesOf(inUse.bytes), bytesOf(allocated.bytes),
            QPoolStatistics::count(qint64(allocated.samples)), intervalText(profile));
    QString notes;
    for (const HeapProfile::Note &note : profile.notes())
        notes += QPoolStatistics::count(qint64(note.count)) + u' ' + QLatin1StringView(note.what) + u'\n';
    if (allocated.samples == 0) {
        result += u"no sample yet: what was allocated before sampling began is not seen\n"_s;
        return (result + notes).toUtf8();
    }
    result += u"about\n"_s;
    auto line = [&](const QString &first, const QString &second, const QString &growth, const QString &share,
                    const QString &count, const QString &where) {
        result += first.rightJustified(11) + second.rightJustified(11);
        if (compared)
            result += growth.rightJustified(11);
        result += share.rightJustified(8) + count.rightJustified(9) + u"  "_s + where + u'\n';
    };
    line(u"in use"_s, u"allocated"_s, u"growth"_s, u"share"_s, u"samples"_s, u"function, its caller, class of its blocks"_s);
    const double whole = byAllocated ? allocated.bytes : inUse.bytes;
    int left = lines > 0 ? lines : INT_MAX;
    for (const HeapSite &site : sites) {
        if (left-- == 0) {
            result += u"%1 of %2 lines are shown; --lines 0 shows all\n"_s.arg(lines).arg(sites.size());
            break;
        }
        const HeapProfile::Sum &shown = byAllocated ? site.allocated : site.inUse;
        QString where = textOf(HeapNames::titleOf(site.function));
        if (site.hasCaller())
            where += (site.isDirect ? u" < "_s : u" < … < "_s) + textOf(HeapNames::titleOf(site.caller));
        if (!site.type.empty())
            where += u"  {"_s + textOf(site.type) + u'}';
        line(bytesOf(site.inUse.bytes), bytesOf(site.allocated.bytes), growthOf(site.growth),
             QPoolStatistics::share(shown.bytes, whole), QPoolStatistics::count(qint64(shown.samples)), where);
    }
    return (result + notes).toUtf8();
}

QByteArray HeapReport::csv() const
{
    QStringList heading { u"function"_s, u"file"_s, u"line"_s, u"module"_s, u"caller"_s, u"class"_s,
                          u"about bytes in use"_s, u"about objects in use"_s, u"samples in use"_s,
                          u"about bytes allocated"_s, u"about objects allocated"_s, u"samples allocated"_s };
    if (compared)
        heading += u"about bytes growth"_s;
    QByteArray result = QPoolStatistics::csvLine(heading);
    const auto number = [](double value) { return QString::number(qRound64(value)); };
    for (const HeapSite &site : sites) {
        QStringList cells { QString::fromStdString(site.function.function), QString::fromStdString(site.function.file),
                            QString::number(site.function.line), QString::fromStdString(site.function.module),
                            QString::fromStdString(site.caller.function), QString::fromStdString(site.type) };
        for (const HeapProfile::Sum &sum : { site.inUse, site.allocated })
            cells += { number(sum.bytes), number(sum.objects), QString::number(sum.samples) };
        if (compared)
            cells += number(site.growth);
        result += QPoolStatistics::csvLine(cells);
    }
    return result;
}

QByteArray HeapReport::folded() const
{
    // Stacks that differ only in addresses are one.
    std::map<std::string, double> all;
    for (const NamedStack &stack : stacks) {
        std::string path;
        for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
            for (auto place = frame->places.rbegin(); place != frame->places.rend(); ++place) {
                std::string name = HeapNames::shortName(place->function);
                for (char &c : name) {
                    if (c == ';')
                        c = ':';
                }
                path += (path.empty() ? "" : ";") + name;
            }
        }
        all[path.empty() ? QPool::NoStackName : path] += byAllocated ? stack.allocated.bytes : stack.inUse.bytes;
    }
    QByteArray result;
    for (const auto &[path, bytes] : all) {
        if (bytes >= 1)
            result += QByteArray::fromStdString(path) + ' ' + QByteArray::number(qRound64(bytes)) + '\n';
    }
    return result;
}
