// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FIGUREFILTER_H
#define FIGUREFILTER_H

#include "snapshot.h"

#include <QtCore/qlist.h>
#include <QtCore/qstring.h>

// What the reader wants to see, as typed: sizes (24, 16-64, >100, <32), kinds
// (event, object, private, heap) and, for arenas, main, orphaned, adopted, or a part
// of a thread's or an arena's number. Of each sort, any may match.
class FigureFilter
{
public:
    FigureFilter() = default;
    explicit FigureFilter(const QString &text);

    bool isEmpty() const { return m_text.isEmpty(); }
    QString text() const { return m_text; }
    QString misunderstood() const { return m_misunderstood; } // the first such word

    bool matches(Domain domain) const;
    bool matchesSize(int size) const;
    bool matches(const ArenaFigures &arena, qint64 pid) const;

    bool operator==(const FigureFilter &other) const { return m_text == other.m_text; }
    bool operator!=(const FigureFilter &other) const { return !(*this == other); }

private:
    struct Range
    {
        qint64 first;
        qint64 last;
    };

    void add(const QString &word);

    QString m_text;
    QString m_misunderstood;
    QList<Range> m_sizes;
    QStringList m_numbers;
    QList<Domain> m_domains;
    bool m_main = false;
    bool m_orphaned = false;
    bool m_adopted = false;
};

#endif // FIGUREFILTER_H
