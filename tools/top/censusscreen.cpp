// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censusscreen.h"

#include <qpoolstatisticsnumber.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using QPool::CensusOrder;
using QPoolStatistics::Column::bytes;
using QPoolStatistics::Column::count;

namespace {

constexpr int CountColumns = 10;
constexpr int GrowthColumns = 10;
constexpr int BytesColumns = 11;
constexpr int ShareColumns = 7;
constexpr int BarColumns = 8;
constexpr int DomainColumns = 8;

Style styleOf(const std::string &domain)
{
    if (domain == "event")
        return Style::Event;
    if (domain == "object")
        return Style::Object;
    return domain == "private" ? Style::Private : Style::Heap;
}

QString orderName(CensusOrder order)
{
    switch (order) {
    case CensusOrder::Count: return u"count"_s;
    case CensusOrder::Bytes: return u"bytes"_s;
    case CensusOrder::Growth: return u"growth"_s;
    }
    return {};
}

ScreenLines header(const QString &name, const QPool::Census &census, const CensusView &view,
                   const ScreenForm &form)
{
    ScreenLine title(narrow(name, form).left(40), Style::Strong);
    title.add(u"  process %1, live objects by class"_s.arg(census.pid));

    ScreenLine sum(u"live %1 in %2, %3 arenas"_s.arg(count(double(census.count())),
                                                         bytes(double(census.bytes())),
                                                         count(double(census.arenas.size()))));
    if (!census.isExact()) {
        sum.add(u"   %1 uncertain"_s.arg(count(double(census.uncertain()))),
                Style::Warning);
    }
    return { title, sum, stateLine(view, orderName(view.order), view.mark.has_value(), form) };
}

double valueOf(const QPool::CensusChange &change, CensusOrder order)
{
    switch (order) {
    case CensusOrder::Count: return double(change.row.count);
    case CensusOrder::Bytes: return double(change.row.bytes);
    case CensusOrder::Growth: return double(std::max<std::int64_t>(0, change.count));
    }
    return 0;
}

ScreenLines table(const QPool::Census &census, const CensusView &view, const ScreenForm &form)
{
    auto changes = view.mark ? compare(*view.mark, census) : withoutChanges(census);
    sort(changes, view.order);
    filter(changes, view.filter.toStdString());
    if (changes.empty())
        return { { u"No class matches."_s, Style::Dim } };

    auto row = [&](const QString &number, const QString &growth, const QString &size,
                   const QString &share, Style style) {
        QString text = number.rightJustified(CountColumns);
        if (view.mark)
            text += growth.rightJustified(GrowthColumns);
        text += size.rightJustified(BytesColumns) + share.rightJustified(ShareColumns) + u' ';
        return ScreenLine(text, style);
    };
    const int barAt = int(row({}, {}, {}, {}, Style::Plain).length());
    ScreenLine heading = row(u"count"_s, u"growth"_s, u"bytes"_s, u"share"_s, Style::Dim);
    heading.fillTo(barAt + BarColumns + 1).add(u"domain  class"_s, Style::Dim);
    ScreenLines lines { heading };

    double largest = 0;
    for (const QPool::CensusChange &change : changes)
        largest = std::max(largest, valueOf(change, view.order));
    const double whole = double(census.bytes());
    for (const QPool::CensusChange &change : changes) {
        ScreenLine line = row(count(double(change.row.count)),
                              QPoolStatistics::Column::difference(change.count),
                              bytes(double(change.row.bytes)),
                              QPoolStatistics::share(double(change.row.bytes), whole), Style::Plain);
        const Style style = styleOf(change.row.domain);
        const double part = largest > 0 ? valueOf(change, view.order) / largest : 0;
        line.add(QPoolStatistics::bar(part, BarColumns, form.unicode), style);
        line.fillTo(barAt + BarColumns + 1);
        line.add(QString::fromStdString(change.row.domain).leftJustified(DomainColumns), style);
        line.add(narrow(QString::fromStdString(titleOf(change.row)), form));
        lines.append(line);
    }
    return lines;
}

ScreenLines helpText()
{
    return helpOnTable(u'o', u"bytes, count or growth"_s, u"a class, a domain or a module"_s,
                   { u"Live objects are grouped by their vtable. In the heap, only blocks that begin"_s,
                     u"with a vtable have a class. The process is read without stopping it: if a size"_s,
                     u"class changes during every attempt to count it, the last count is shown as"_s,
                     u"uncertain."_s });
}

} // namespace

void CensusView::changeOrder()
{
    switch (order) {
    case CensusOrder::Bytes: order = CensusOrder::Count; break;
    case CensusOrder::Count: order = mark ? CensusOrder::Growth : CensusOrder::Bytes; break;
    case CensusOrder::Growth: order = CensusOrder::Bytes; break;
    }
}

void CensusView::toggleMark(const QPool::Census &census)
{
    if (mark) {
        mark.reset();
        order = order == CensusOrder::Growth ? CensusOrder::Bytes : order;
    } else {
        mark = census;
        order = CensusOrder::Growth;
    }
    scroll = 0;
}

ScreenLines censusScreen(const QString &name, const QPool::Census &census, CensusView &view,
                         const ScreenForm &form)
{
    return scrolledScreen(header(name, census, view, form),
                          view.help ? helpText() : table(census, view, form), lastLine(view, u'o', form),
                          &view.scroll, form);
}
