// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heapscreen.h"

#include <qpoolheapnames.h>
#include <qpoolstatisticsnumber.h>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;
using QPool::HeapProfile;
using QPool::HeapSite;
using QPoolStatistics::Column::bytes;
namespace HeapNames = QPool::HeapNames;

namespace {

constexpr int InUseColumns = 10;
constexpr int AllocatedColumns = 11;
constexpr int GrowthColumns = 11;
constexpr int ShareColumns = 7;

QString textOf(const std::string &text, const ScreenForm &form)
{
    return narrow(QString::fromStdString(text), form);
}

// Without its middle if there is no room: templates are long, and a name ends with its file and line.
QString cutInside(const QString &text, qsizetype room, const ScreenForm &form)
{
    if (text.size() <= room)
        return text;
    const qsizetype right = room / 2;
    return text.left(qMax<qsizetype>(0, room - right - 1)) + (form.unicode ? u'…' : u'~') + text.right(right);
}

QString growthOf(double growth)
{
    if (std::abs(growth) < 1)
        return u"-"_s;
    return (growth > 0 ? u'+' : u'-') + bytes(std::abs(growth));
}

double valueOf(const HeapSite &site, HeapView::Order order)
{
    switch (order) {
    case HeapView::InUse: return site.inUse.bytes;
    case HeapView::Allocated: return site.allocated.bytes;
    case HeapView::Growth: return site.growth;
    }
    return 0;
}

QString orderName(HeapView::Order order)
{
    switch (order) {
    case HeapView::InUse: return u"bytes in use"_s;
    case HeapView::Allocated: return u"bytes allocated"_s;
    case HeapView::Growth: return u"growth"_s;
    }
    return {};
}

ScreenLines header(const QString &name, const ShownHeap &heap, const HeapView &view, const ScreenForm &form)
{
    const HeapProfile &profile = heap.profile;
    ScreenLine title(narrow(name, form).left(40), Style::Strong);
    title.add(u"  process %1, call sites"_s.arg(profile.pid));

    const HeapProfile::Sum allocated = profile.allocated();
    ScreenLine sum(u"about %1 in use, %2 allocated, by %3 samples, "_s.arg(
            bytes(profile.inUse().bytes), bytes(allocated.bytes),
            QPoolStatistics::Column::count(double(allocated.samples))));
    if (profile.interval)
        sum.add(u"one in "_s + bytes(double(profile.interval)));
    else
        sum.add(u"switched off"_s, Style::Warning);

    return { title, sum, stateLine(view, orderName(view.order), view.mark.has_value(), form) };
}

// The sites that the filter leaves, in the view's order.
std::vector<HeapSite> sitesOf(const ShownHeap &heap, const HeapView &view)
{
    std::vector<HeapSite> sites = QPool::HeapSites::of(heap.stacks, false, view.mark ? &*view.mark : nullptr);
    const auto isOther = [&](const HeapSite &site) {
        const std::string names[] = { HeapNames::titleOf(site.function), HeapNames::titleOf(site.caller), site.type };
        return std::none_of(std::begin(names), std::end(names), [&](const std::string &text) {
            return QString::fromStdString(text).contains(view.filter, Qt::CaseInsensitive);
        });
    };
    sites.erase(std::remove_if(sites.begin(), sites.end(), isOther), sites.end());
    std::stable_sort(sites.begin(), sites.end(), [&](const HeapSite &one, const HeapSite &other) {
        return valueOf(one, view.order) > valueOf(other, view.order);
    });
    return sites;
}

ScreenLines table(const ShownHeap &heap, const HeapView &view, const ScreenForm &form)
{
    if (heap.stacks.empty())
        return { { u"No sample yet: what was allocated before sampling began is not seen."_s, Style::Dim } };
    const std::vector<HeapSite> sites = sitesOf(heap, view);
    if (sites.empty())
        return { { u"No function or class matches."_s, Style::Dim } };

    const auto row = [&](const QString &inUse, const QString &allocated, const QString &growth, const QString &share) {
        QString text = inUse.rightJustified(InUseColumns) + allocated.rightJustified(AllocatedColumns);
        if (view.mark)
            text += growth.rightJustified(GrowthColumns);
        return text + share.rightJustified(ShareColumns) + u"  "_s;
    };
    ScreenLine heading(row(u"in use"_s, u"allocated"_s, u"growth"_s, u"share"_s), Style::Dim);
    const qsizetype namesAt = heading.length();
    const qsizetype room = qMax<qsizetype>(1, form.columns - namesAt);
    ScreenLines lines { heading.add(u"function {class}, its caller"_s, Style::Dim) };
    const double whole = heap.profile.inUse().bytes;
    for (const HeapSite &site : sites) {
        ScreenLine line(row(bytes(site.inUse.bytes), bytes(site.allocated.bytes), growthOf(site.growth),
                            QPoolStatistics::share(site.inUse.bytes, whole)));
        // The class has at most half of the line.
        const QString type = site.type.empty()
                ? QString() : u"  {"_s + cutInside(textOf(site.type, form), room / 2 - 4, form) + u'}';
        line.add(cutInside(textOf(HeapNames::titleOf(site.function), form), room - type.size(), form));
        lines.append(line.add(type, Style::Object));
        if (site.hasCaller()) {
            const QString way = site.isDirect ? u"< "_s : form.unicode ? u"< … < "_s : u"< ~ < "_s;
            ScreenLine caller;
            caller.fillTo(namesAt).add(way, Style::Dim);
            lines.append(caller.add(cutInside(textOf(HeapNames::titleOf(site.caller), form), room - way.size(), form),
                                    Style::Dim));
        }
    }
    for (const HeapProfile::Note &note : heap.profile.notes()) {
        lines.append({ QPoolStatistics::count(qint64(note.count)) + u' ' + QLatin1StringView(note.what) + u'.',
                       Style::Warning });
    }
    return lines;
}

ScreenLines helpText()
{
    return helpOnTable(u'h', u"bytes in use, bytes allocated or growth"_s, u"a function, a file or a class"_s,
                   { u"Which code allocated what is in use, by samples of its call stacks: numbers are"_s,
                     u"estimates. What was allocated before sampling began is not seen. If it was off,"_s,
                     u"this screen switches it on, and off again when you leave. The class is that of"_s,
                     u"the blocks, where they have one; the second line is the function's caller."_s });
}

} // namespace

void HeapView::changeOrder()
{
    order = order == InUse ? Allocated : order == Allocated && mark ? Growth : InUse;
}

void HeapView::toggleMark(const ShownHeap &heap)
{
    if (mark) {
        mark.reset();
        order = order == Growth ? InUse : order;
    } else {
        mark = QPool::HeapSites::bytesByKey(QPool::HeapSites::of(heap.stacks, false));
        order = Growth;
    }
    scroll = 0;
}

ScreenLines heapScreen(const QString &name, const ShownHeap &heap, HeapView &view, const ScreenForm &form)
{
    return scrolledScreen(header(name, heap, view, form), view.help ? helpText() : table(heap, view, form),
                          lastLine(view, u'h', form), &view.scroll, form);
}
