// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSTATISTICSFILTER_H
#define QPOOLSTATISTICSFILTER_H

#include "qpoolstatisticssnapshot.h"

#include <QtCore/qstringlist.h>

namespace QPoolStatistics {

/*
    What of the statistics is shown, as a user types it: words, of which any of a sort may match.
        event, object, private, heap   domains; the plurals, and the beginnings of these words
        24  16-64  128-  >100  <32     sizes in bytes
        main, orphaned, adopted        arenas; or the beginnings of these words ("o" is for objects)
        #8888                          the arena of that thread
    doc/monitor.md has the same list.
*/
class Filter
{
public:
    Filter() = default;
    // Of a text that may not be finished: a word that is not understood holds nothing back.
    explicit Filter(const QString &text);

    // Of a text that is finished: empty, with \a error set to one sentence, if anything is wrong with it.
    static std::optional<Filter> parse(const QString &text, QString *error);

    bool isEmpty() const { return m_text.isEmpty(); }
    QString text() const { return m_text; } // without blanks that mean nothing
    QString misunderstood() const { return m_misunderstood; } // the first such word

    bool matches(Domain domain) const { return matchesDomain(nameOf(domain)); }
    bool matchesDomain(const QString &name) const;
    bool matchesSize(qint64 size) const;

    // What a number alone means to arenas: nothing where sizes are shown beside them; where arenas
    // are shown alone, a part of the thread's number, or the arena's own.
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
    QString m_error; // the first thing that is wrong, what is only unfinished included
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
