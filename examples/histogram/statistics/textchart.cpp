// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "textchart.h"

#include "snapshot.h"
#include "valueaxis.h"

#include <qpoolstatisticsnumber.h>

using namespace Qt::StringLiterals;
using QPoolStatistics::bytes;

namespace {

constexpr int BarColumns = 28;
constexpr int ValueColumns = 12;

QString column(qint64 value)
{
    return QPoolStatistics::count(value).rightJustified(ValueColumns);
}

QString heading(const QString &title)
{
    return u"\n"_s + title.leftJustified(7 + 1 + BarColumns)
           + u"allocated"_s.rightJustified(ValueColumns)
           + u"remote"_s.rightJustified(ValueColumns) + u"live"_s.rightJustified(ValueColumns)
           + u'\n';
}

QString domainChart(const QString &title, const QList<SizeClassStatistics> &classes)
{
    QString text = heading(title);
    ValueAxis axis;
    axis.setLogarithmic(true);
    qreal largest = 0;
    for (const SizeClassStatistics &sizeClass : classes)
        largest = qMax(largest, qreal(sizeClass.allocated));
    axis.fit(largest);
    bool any = false;
    for (const SizeClassStatistics &sizeClass : classes) {
        if (sizeClass.allocated == 0)
            continue;
        any = true;
        const QString bar = QPoolStatistics::bar(axis.fraction(qreal(sizeClass.allocated)), BarColumns);
        text += u"%1 B "_s.arg(sizeClass.size, 5) + bar.leftJustified(BarColumns)
                + column(sizeClass.allocated) + column(sizeClass.remote) + column(sizeClass.live) + u'\n';
    }
    return any ? text : text + u"        nothing allocated\n"_s;
}

} // namespace

QString textChart(const Snapshot &snapshot)
{
    QString text = u"QPool · Qt %1 · process %2\n"_s.arg(snapshot.qtVersion).arg(snapshot.pid);
    text += u"live %1 · committed %2 · reserved %3\n"_s.arg(
            bytes(qreal(snapshot.liveBytes)),
            bytes(qreal(snapshot.committedBytes)),
            bytes(qreal(snapshot.reservedBytes)));
    text += domainChart(u"Events"_s, snapshot.domain(Domain::Event));
    text += domainChart(u"Objects"_s, snapshot.domain(Domain::Object));
    text += domainChart(u"Private parts"_s, snapshot.domain(Domain::Private));
    if (snapshot.hasHeap)
        text += domainChart(u"Heap"_s, snapshot.domain(Domain::Heap));

    qint64 adoptions = 0;
    int orphaned = 0;
    for (const ArenaStatistics &arena : snapshot.arenas) {
        adoptions += arena.adoptions;
        orphaned += arena.orphaned;
    }
    text += u"\n%1 arenas, %2 orphaned, %3 adoptions. Bars: allocated, logarithmic.\n"_s
                    .arg(snapshot.arenas.size())
                    .arg(orphaned)
                    .arg(adoptions);
    return text;
}
