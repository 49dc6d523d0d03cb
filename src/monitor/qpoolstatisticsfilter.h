// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSFILTER_H
#define QPOOLSTATISTICSFILTER_H

#include "qpoolstatisticssnapshot.h"

#include <QtCore/qstringlist.h>

namespace QPoolStatistics {

/*
    A filter of statistics, as a user types it: words, of which one of each kind must match.
        event, object, private, heap   domains; the plurals, and the beginnings of these words
        24  16-64  128-  >100  <32     sizes in bytes
        main, orphaned, adopted        arenas; or the beginnings of these words ("o" is for objects)
        #8888                          the arena of that thread
    doc/observe.md has the same list.
*/
class Filter
{
public:
    Filter() = default;
    // For an unfinished text: a word that is not understood filters nothing out.
    explicit Filter(const QString &text);

    // For a finished text: empty if anything is wrong with it, with \a error set to one sentence.
    static std::optional<Filter> parse(const QString &text, QString *error);

    bool isEmpty() const { return m_text.isEmpty(); }
    QString text() const { return m_text; } // without blanks that mean nothing
    QString misunderstood() const { return m_misunderstood; } // the first such word

    bool matches(Domain domain) const { return matchesDomain(nameOf(domain)); }
    bool matchesDomain(const QString &name) const;
    bool matchesSize(qint64 size) const;

    // The meaning of a plain number for arenas: none where sizes are shown beside them; where only
    // arenas are shown, a part of the thread's number, or the arena's own number.
    enum Numbers { NumbersAreSizes, NumbersAreThreads };
    bool matches(const ArenaStatistics &arena, qint64 pid, Numbers numbers) const;

    bool operator==(const Filter &other) const { return m_text == other.m_text; }
    bool operator!=(const Filter &other) const { return !(*this == other); }

private:
    struct Range
    {
        qint64 first;
        qint64 last;
    };

    void add(const QString &word);
    bool addSizes(QStringView word);
    bool addThread(QStringView word);
    bool addName(const QString &word);
    void complain(const QString &error);

    QString m_text;
    QString m_misunderstood;
    QString m_error; // the first error; unfinished words count as errors
    QList<Range> m_sizes;
    QStringList m_numbers;
    QList<qint64> m_threads;
    QStringList m_domains;
    bool m_main = false;
    bool m_orphaned = false;
    bool m_adopted = false;
};

} // namespace QPoolStatistics

#endif // QPOOLSTATISTICSFILTER_H
