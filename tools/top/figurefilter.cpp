// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "figurefilter.h"

#include <QtCore/qregularexpression.h>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

std::optional<FigureFilter> FigureFilter::parse(const QString &text, QString *error)
{
    static const QRegularExpression size(u"^(\\d{1,7})(-(\\d{1,7})?)?$"_s);
    static const QRegularExpression thread(u"^#(\\d{1,18})$"_s);
    FigureFilter filter;
    filter.m_text = text.simplified();
    const QStringList words = filter.m_text.toLower().split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words) {
        if (const auto match = size.match(word); match.hasMatch()) {
            const quint32 least = match.captured(1).toUInt();
            const bool open = match.hasCaptured(2) && match.capturedLength(3) == 0;
            const quint32 most = open ? std::numeric_limits<quint32>::max()
                    : match.hasCaptured(3)   ? match.captured(3).toUInt()
                                             : least;
            filter.m_sizes.append({ least, most });
        } else if (const auto match = thread.match(word); match.hasMatch()) {
            filter.m_threads.append(match.captured(1).toULongLong());
        } else if (u"orphaned"_s.startsWith(word) && word.size() > 1) {
            filter.m_orphaned = true; // "o" alone is for objects
        } else if (u"event"_s.startsWith(word) || u"object"_s.startsWith(word)
                   || u"private"_s.startsWith(word) || u"heap"_s.startsWith(word)
                   || word == "events"_L1
                   || word == "objects"_L1) {
            filter.m_domains.append(word);
        } else {
            *error = u"'%1' is no domain, size or range of sizes"_s.arg(word);
            return std::nullopt;
        }
    }
    return filter;
}

bool FigureFilter::acceptsDomain(const std::string &name) const
{
    const QString domain = QString::fromStdString(name);
    return m_domains.isEmpty()
            || std::any_of(m_domains.begin(), m_domains.end(), [&](const QString &word) {
                   return domain.startsWith(word) || word == domain + u's';
               });
}

bool FigureFilter::acceptsSize(std::uint32_t size) const
{
    return m_sizes.isEmpty()
            || std::any_of(m_sizes.begin(), m_sizes.end(), [size](const Range &range) {
                   return size >= range.least && size <= range.most;
               });
}

bool FigureFilter::acceptsArena(const QPool::ArenaStatistics &arena) const
{
    if (!m_orphaned && m_threads.isEmpty())
        return true;
    return (m_orphaned && arena.orphaned) || m_threads.contains(arena.thread);
}
