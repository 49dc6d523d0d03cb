// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cachelines.h"

#include <qpoolstatisticsnumber.h>

#include <cmath>

using namespace Qt::StringLiterals;
using QPoolStatistics::Column::count;

namespace {

constexpr int NameColumns = 19;

// The share in percent of all objects taken.
QString share(quint64 part, quint64 whole)
{
    if (whole == 0)
        return u"-"_s;
    const double percent = 100 * double(part) / double(whole);
    // Only exact values are shown as 0 and 100.
    if (part > 0 && percent < 1)
        return u"<1"_s;
    if (part < whole && percent > 99)
        return u">99"_s;
    return QString::number(std::lround(percent));
}

ScreenLine row(const QString &name, const QStringList &cells, Style style)
{
    static constexpr int widths[] = { 7, 8, 8, 8, 8, 10, 6, 6 };
    QString text = name.leftJustified(NameColumns, u' ', true);
    for (qsizetype i = 0; i < cells.size(); ++i)
        text += cells.at(i).rightJustified(widths[i]);
    return { text, style };
}

ScreenLine countsRow(const QString &name, const QString &size, const QPool::CacheCounts &counts,
                     Style style)
{
    return row(name,
               { size, count(double(counts.inUse)), count(double(counts.inStocks)),
                 count(double(counts.inDepot)), count(double(counts.made)),
                 count(double(counts.destroyed)), share(counts.ownHits, counts.takes()),
                 share(counts.depotHits, counts.takes()) },
               style);
}

void addCache(ScreenLines *lines, const QPool::CacheStatistics &cache, const ScreenForm &form)
{
    const QString name = narrow(QString::fromStdString(cache.name), form);
    lines->append(countsRow(name, count(double(cache.objectSize)), cache.counts(),
                            cache.isWhole() ? Style::Plain : Style::Warning));
    if (!cache.hasParts())
        return;
    for (const QPool::CategoryStatistics &category : cache.categories) {
        if (category.isUnused())
            continue;
        const QString part = category.name.empty() ? u"(no category)"_s
                                                   : narrow(QString::fromStdString(category.name), form);
        lines->append(countsRow(u"  "_s + part, {}, category, Style::Dim));
    }
}

} // namespace

ScreenLines cacheLines(const QPool::CacheListing &listing, const ScreenForm &form)
{
    if (listing.isEmpty())
        return {};
    if (!listing.problem.empty()) {
        return { { u"The object caches cannot be read:"_s, Style::Warning },
                 { u"  "_s + QString::fromStdString(listing.problem), Style::Warning } };
    }
    ScreenLines lines { row(u"object cache"_s,
                            { u"bytes"_s, u"in use"_s, u"stocks"_s, u"depot"_s, u"made"_s,
                              u"destroyed"_s, u"own %"_s, u"dep.%"_s },
                            Style::Dim) };
    bool isWhole = true;
    for (const QPool::CacheStatistics &cache : listing.caches) {
        addCache(&lines, cache, form);
        isWhole &= cache.isWhole();
    }
    if (!isWhole)
        lines.append({ u"Values in this colour are incomplete: there was no room to publish all stocks."_s, Style::Warning });
    if (listing.missing > 0) {
        lines.append({ u"%1 more: created before publishing was enabled, or without room."_s.arg(listing.missing),
                       Style::Warning });
    }
    return lines;
}
