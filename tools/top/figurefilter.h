// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FIGUREFILTER_H
#define FIGUREFILTER_H

#include "stats/qpoolfigures.h"

#include <QtCore/qstringlist.h>

#include <optional>

/*
    What of the figures is shown, as a user types it: words that each narrow it down.
        event, object, private      domains, or the beginnings of their names
        24   32-64   128-           sizes in bytes
        orphaned                    arenas without a thread
        #8888                       the arena of that thread
    Words of one kind add up: "event object 24 32-64".
*/
class FigureFilter
{
public:
    // Empty, with \a error set, if a word is none of these.
    static std::optional<FigureFilter> parse(const QString &text, QString *error);

    const QString &text() const { return m_text; }
    bool isEmpty() const { return m_text.isEmpty(); }

    bool acceptsDomain(const std::string &name) const;
    bool acceptsSize(std::uint32_t size) const;
    bool acceptsArena(const QPool::ArenaStatistics &arena) const;

private:
    struct Range
    {
        quint32 least;
        quint32 most;
    };

    QString m_text;
    QStringList m_domains;
    QList<Range> m_sizes;
    QList<quint64> m_threads;
    bool m_orphaned = false;
};

#endif // FIGUREFILTER_H
