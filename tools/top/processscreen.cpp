// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "processscreen.h"
#include "cachelines.h"
#include "textformat.h"

#include <qpoolstatisticsconversion.h>
#include <qpoolstatisticsnumber.h>

#include <algorithm>
#include <cmath>
#include <map>

using namespace Qt::StringLiterals;
using QPool::MonitoredProcess;
using QPoolStatistics::Column::bytes;
using QPoolStatistics::Column::count;
using QPoolStatistics::Filter;

namespace {

constexpr int SizeColumns = 6;
constexpr int ValueColumns = 9;
constexpr int RowsForArenas = 6; // needed below the size classes to show arenas, too

Style styleOf(std::size_t domain)
{
    static constexpr Style styles[] = { Style::Event, Style::Object, Style::Private,
                                        Style::Heap };
    return styles[domain % std::size(styles)];
}

QString titleOf(const std::string &domain)
{
    if (domain == "event")
        return u"events"_s;
    if (domain == "object")
        return u"objects"_s;
    if (domain == "private")
        return u"private parts"_s;
    return QString::fromStdString(domain);
}

ScreenLines header(const FollowedProcess &process, const ScreenForm &form, qint64 now)
{
    const QPool::ProcessStatistics &statistics = process.statistics();
    const Totals totals = Totals::of(statistics);
    int orphans = 0;
    quint64 adoptions = 0;
    quint64 pages = 0;
    quint64 backlog = 0;
    for (const QPool::ArenaStatistics &arena : statistics.arenas) {
        orphans += arena.orphaned;
        adoptions += arena.adoptions;
        pages += arena.pages;
        backlog += arena.backlog;
    }

    const QString age = u"up "_s + TextFormat::duration(now - qint64(process.since()));
    ScreenLine title(narrow(process.name(), form).left(40), Style::Strong);
    title.add(u"  process %1"_s.arg(statistics.pid));
    if (!statistics.library.empty())
        title.add(u", Qt "_s + QString::fromStdString(statistics.library));
    title.fillTo(form.columns - age.size()).add(age, Style::Dim);

    QString work = u"live %1 in %2"_s.arg(count(double(totals.live)),
                                          bytes(double(statistics.liveBytes())));
    work += u"   allocated %1/s   freed %2/s"_s.arg(TextFormat::rate(process.allocationRate()),
                                                    TextFormat::rate(process.freeRate()));
    if (const double share = process.remoteShare(); share > 0)
        work += u", %1% remote"_s.arg(qMax(1, int(std::lround(share * 100))));

    const QString memory = u"memory %1 committed, %2 released, %3 reserved"_s.arg(
            bytes(double(statistics.memory.committed)), bytes(double(statistics.memory.decommitted)),
            bytes(double(statistics.memory.reserved)));

    QString arenas = u"arenas %1"_s.arg(statistics.arenas.size());
    if (statistics.missingArenas > 0)
        arenas += u" and %1 not published"_s.arg(statistics.missingArenas);
    arenas += u", %1 orphaned, %2 adoptions, %3 pages, backlog %4"_s.arg(
            count(orphans), count(double(adoptions)), count(double(pages)),
            count(double(backlog)));
    return { title, work, memory, arenas };
}

ScreenLine stateLine(const FollowedProcess &process, const ProcessView &view, const ScreenForm &form)
{
    if (process.state() == MonitoredProcess::Gone)
        return { u"The process has ended; these are its last statistics. b: list"_s,
                 Style::Warning };
    if (process.state() == MonitoredProcess::Silent)
        return { u"The process stopped publishing; these are its last statistics. b: list"_s,
                 Style::Warning };
    if (!process.statistics().enabled)
        return { u"The pool is disabled in this process."_s,
                 Style::Warning };
    ScreenLine line;
    addState(&line, view, view.filter.text(), form);
    if (process.hasBaseline())
        line.add(u"Allocations are counted since the reset. "_s, Style::Dim);
    return line;
}

QString measureName(const FollowedProcess &process, const ProcessView &view)
{
    switch (view.measure) {
    case ProcessView::Live:
        return u"live"_s;
    case ProcessView::Allocated:
        return process.hasBaseline() ? u"since reset"_s : u"allocated"_s;
    case ProcessView::Rate:
        return u"chunks/s"_s;
    }
    return {};
}

double valueOf(const FollowedProcess &process, const ProcessView &view, std::size_t domain,
               const QPool::ClassStatistics &entry)
{
    switch (view.measure) {
    case ProcessView::Live:
        return double(entry.live());
    case ProcessView::Allocated:
        return double(process.classCounts(domain, entry.size).allocated);
    case ProcessView::Rate:
        return qMax(0.0, process.classRate(domain, entry.size));
    }
    return 0;
}

ScreenLines classTable(const FollowedProcess &process, const ProcessView &view,
                       const ScreenForm &form)
{
    const QPool::ProcessStatistics &statistics = process.statistics();
    std::vector<std::size_t> domains;
    std::map<quint32, std::map<std::size_t, double>> rows; // by size, then by domain
    double largest = 0;
    for (std::size_t domain = 0; domain < statistics.domains.size(); ++domain) {
        if (!view.filter.matchesDomain(QString::fromStdString(statistics.domains[domain].name)))
            continue;
        domains.push_back(domain);
        for (const QPool::ClassStatistics &entry : statistics.domains[domain].classes) {
            if (!view.filter.matchesSize(entry.size))
                continue;
            const double value = valueOf(process, view, domain, entry);
            rows[entry.size][domain] = value;
            largest = qMax(largest, value);
        }
    }
    if (domains.empty() || rows.empty())
        return { { u"No size class matches."_s, Style::Dim } };

    const int width = (form.columns - SizeColumns) / int(domains.size());
    const int barColumns = width - 1 - ValueColumns;
    if (barColumns < 1)
        return { { u"The terminal is too narrow for all domains."_s, Style::Warning } };
    auto start = [&](std::size_t place) { return SizeColumns + int(place) * width; };
    ScreenLine heading(u"bytes"_s.rightJustified(SizeColumns - 1), Style::Dim);
    const QString measure = measureName(process, view);
    for (std::size_t i = 0; i < domains.size(); ++i) {
        heading.fillTo(start(i) + 1);
        heading.add(titleOf(statistics.domains[domains[i]].name).left(width - 1),
                    styleOf(domains[i]));
        // Omitted if there is no room.
        if (heading.length() + 1 + measure.size() <= start(i) + width)
            heading.fillTo(start(i) + width - measure.size()).add(measure, Style::Dim);
    }

    ScreenLines lines { heading };
    for (const auto &[size, values] : rows) {
        ScreenLine line(QString::number(size).rightJustified(SizeColumns - 1));
        for (std::size_t i = 0; i < domains.size(); ++i) {
            const auto value = values.find(domains[i]);
            if (value == values.end())
                continue;
            const double fraction = largest <= 0 ? 0
                    : view.logarithmic ? std::log1p(value->second) / std::log1p(largest)
                                       : value->second / largest;
            const QString number = count(value->second);
            line.fillTo(start(i) + 1);
            line.add(QPoolStatistics::bar(fraction, barColumns, form.unicode), styleOf(domains[i]));
            line.fillTo(start(i) + width - number.size()).add(number);
        }
        lines.append(line);
    }
    return lines;
}

ScreenLines arenaTable(const FollowedProcess &process, const ProcessView &view, const ScreenForm &form)
{
    static constexpr int widths[] = { 6, 10, 10, 11, 7, 9, 11 };
    auto row = [](const QStringList &cells, const QString &name, Style style) {
        QString text;
        for (qsizetype i = 0; i < cells.size(); ++i)
            text += cells[i].rightJustified(widths[i]);
        return ScreenLine(name.isEmpty() ? text : text + u' ' + name, style);
    };
    ScreenLines lines { row({ u"arena"_s, u"thread"_s, u"live"_s, u"bytes"_s, u"pages"_s,
                              u"backlog"_s, u"adoptions"_s },
                            u"name"_s, Style::Dim) };
    const auto pid = qint64(process.statistics().pid);
    for (const QPool::ArenaStatistics &arena : process.statistics().arenas) {
        if (!view.filter.matches(QPoolStatistics::of(arena), pid, Filter::NumbersAreSizes))
            continue;
        const QString thread = arena.orphaned ? u"orphaned"_s
                : arena.thread == 0 ? u"shared"_s // see QPool::SharedArenas
                                    : QString::number(arena.thread);
        lines.append(row({ QString::number(arena.id), thread, count(double(arena.live)),
                           bytes(double(arena.liveBytes)), count(arena.pages),
                           count(double(arena.backlog)), count(arena.adoptions) },
                         arena.orphaned ? QString() : narrow(process.threadName(qint64(arena.thread)), form),
                         arena.orphaned ? Style::Warning : Style::Plain));
    }
    if (lines.size() == 1)
        return { { u"No arena matches."_s, Style::Dim } };
    return lines;
}

ScreenLines helpText()
{
    return helpLines({ { u"q"_s, u"quit"_s },
                       { u"b"_s, u"list of processes"_s },
                       { u"o"_s, u"live objects by class, and their growth"_s },
                       { u"h"_s, u"call sites: which code allocated what is in use, by samples"_s },
                       { u"e"_s, u"event latency: how long events wait and their handlers run"_s },
                       { u"p, Space"_s, u"pause or resume"_s },
                       { u"c"_s, u"reset counts; again: count from the start of the process"_s },
                       { u"v"_s, u"bars show live chunks, allocated chunks or the allocation rate"_s },
                       { u"l"_s, u"logarithmic or linear bars"_s },
                       { u"Tab"_s, u"size classes, arenas, or object caches, if there are any"_s },
                       { u"f, /"_s, u"filter: event object private heap  24 16-64 128- >100 <32"_s },
                       { {}, u"arenas: main orphaned adopted #THREAD"_s },
                       { u"arrows, pages"_s, u"scroll"_s } },
                     { u"A chunk is a block of a size class; live chunks are in use. A remote free is one"_s,
                       u"by a thread that does not own the arena; the backlog holds remote frees that the"_s,
                       u"owner has not taken back yet. Statistics are exact while all threads are idle;"_s,
                       u"otherwise values are not from the same moment. QtQml itself allocates the"_s,
                       u"objects that QML creates: on QtCore alone, only their private parts are counted."_s });
}

QString nameOf(ProcessView::Page page)
{
    return page == ProcessView::Arenas ? u"arenas"_s
            : page == ProcessView::Caches ? u"caches"_s : u"classes"_s;
}

ScreenLine footer(const FollowedProcess &process, const ProcessView &view, const ScreenForm &form)
{
    const QString other = nameOf(pageAfter(view.page, process));
    return lastLine(view,
                    u"q quit  b list  o objects  h heap  e latency  f filter  Tab "_s + other + u"  ? help"_s,
                    form);
}

} // namespace

ProcessView::Page pageAfter(ProcessView::Page page, const FollowedProcess &process)
{
    switch (page) {
    case ProcessView::Classes:
        return ProcessView::Arenas;
    case ProcessView::Arenas:
        return process.caches().isEmpty() ? ProcessView::Classes : ProcessView::Caches;
    case ProcessView::Caches:
        break;
    }
    return ProcessView::Classes;
}

ScreenLines processScreen(const FollowedProcess &process, ProcessView &view,
                          const ScreenForm &form, qint64 now)
{
    ScreenLines head = header(process, form, now);
    head.append(stateLine(process, view, form));

    const ScreenLines caches = cacheLines(process.caches(), form);
    ScreenLines body;
    if (view.help)
        body = helpText();
    else if (view.page == ProcessView::Arenas)
        body = arenaTable(process, view, form);
    else if (view.page == ProcessView::Caches && !caches.isEmpty())
        body = caches;
    else
        body = classTable(process, view, form);
    if (!view.help && view.page == ProcessView::Classes
        && (form.rows == 0 || roomBelow(head, form) - body.size() >= RowsForArenas)) {
        body.append(ScreenLine());
        body.append(arenaTable(process, view, form));
        // All caches or none, because a cut list would look complete.
        if (!caches.isEmpty()
            && (form.rows == 0 || roomBelow(head, form) - body.size() > caches.size())) {
            body.append(ScreenLine());
            body.append(caches);
        }
    }

    return scrolledScreen(head, body, footer(process, view, form), &view.scroll, form);
}
