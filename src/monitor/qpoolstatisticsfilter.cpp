// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolstatisticsfilter.h"

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace QPoolStatistics {

namespace {

constexpr qint64 Any = std::numeric_limits<qint64>::max();
// No size, thread or arena has more digits, and numbers of so many digits do not overflow below.
constexpr qsizetype MostDigits = 18;
constexpr qsizetype MostDigitsOfSize = 7;

std::optional<qint64> numberOf(QStringView text, qsizetype mostDigits)
{
    // Not toLongLong() alone, which takes signs and blanks.
    const bool digits = std::all_of(text.begin(), text.end(),
                                    [](QChar c) { return c >= u'0' && c <= u'9'; });
    if (text.isEmpty() || text.size() > mostDigits || !digits)
        return std::nullopt;
    return text.toLongLong();
}

// The beginning of a word stands for the whole word, as the user may still be typing.
bool begins(const QString &whole, const QString &word)
{
    return whole.startsWith(word) || word == whole + u's';
}

} // namespace

Filter::Filter(const QString &text)
    : m_text(text.simplified())
{
    const QStringList words = m_text.toLower().split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words)
        add(word);
}

std::optional<Filter> Filter::parse(const QString &text, QString *error)
{
    Filter filter(text);
    if (filter.m_error.isEmpty())
        return filter;
    *error = filter.m_error;
    return std::nullopt;
}

void Filter::complain(const QString &error)
{
    if (m_error.isEmpty())
        m_error = error;
}

void Filter::add(const QString &word)
{
    if (addSizes(word) || addThread(word) || addName(word))
        return;
    if (m_misunderstood.isEmpty())
        m_misunderstood = word;
    // The essential part comes first: a terminal has room for 80 characters.
    complain(u"'%1' is no domain, size or range of sizes: as event, 24, 16-64, >100, main"_s.arg(word));
}

bool Filter::addSizes(QStringView word)
{
    const auto sizeOf = [](QStringView text) { return numberOf(text, MostDigitsOfSize); };
    if (const auto exact = sizeOf(word)) {
        m_sizes.append({ *exact, *exact });
        m_numbers.append(word.toString());
        return true;
    }
    if (word.startsWith(u'>') || word.startsWith(u'<')) {
        const auto limit = sizeOf(word.mid(1));
        if (limit) {
            m_sizes.append(word.at(0) == u'>' ? Range { *limit + 1, Any } : Range { 0, *limit - 1 });
        } else if (word.size() == 1) {
            // Without its number, the word filters nothing out.
            complain(u"'%1' lacks a size: as %1100"_s.arg(word));
        }
        return limit || word.size() == 1;
    }
    const qsizetype dash = word.indexOf(u'-');
    const auto first = dash > 0 ? sizeOf(word.left(dash)) : std::nullopt;
    const auto last = dash > 0 ? sizeOf(word.mid(dash + 1)) : std::nullopt;
    if (!first || (!last && dash + 1 < word.size()))
        return false;
    m_sizes.append({ *first, last.value_or(Any) });
    if (last && *last < *first)
        complain(u"'%1' ends before it begins: the smaller size stands first"_s.arg(word));
    return true;
}

bool Filter::addThread(QStringView word)
{
    if (!word.startsWith(u'#'))
        return false;
    const auto thread = numberOf(word.mid(1), MostDigits);
    if (thread)
        m_threads.append(*thread);
    else if (word.size() == 1)
        complain(u"'#' lacks the number of a thread: as #8888"_s);
    return thread || word.size() == 1;
}

bool Filter::addName(const QString &word)
{
    for (Domain domain : { Domain::Event, Domain::Object, Domain::Private, Domain::Heap }) {
        if (begins(nameOf(domain), word)) {
            m_domains.append(nameOf(domain));
            return true;
        }
    }
    if (begins(u"main"_s, word))
        m_main = true;
    else if (begins(u"orphaned"_s, word))
        m_orphaned = true;
    else if (begins(u"adopted"_s, word))
        m_adopted = true;
    else
        return false;
    return true;
}

bool Filter::matchesDomain(const QString &name) const
{
    return m_domains.isEmpty() || m_domains.contains(name);
}

bool Filter::matchesSize(qint64 size) const
{
    return m_sizes.isEmpty()
            || std::any_of(m_sizes.cbegin(), m_sizes.cend(), [size](const Range &range) {
                   return size >= range.first && size <= range.last;
               });
}

bool Filter::matches(const ArenaStatistics &arena, qint64 pid, Numbers numbers) const
{
    if (m_main || m_orphaned || m_adopted || !m_threads.isEmpty()) {
        const bool isMain = arena.thread == pid && !arena.orphaned;
        const bool wanted = (m_main && isMain) || (m_orphaned && arena.orphaned)
                || (m_adopted && arena.adoptions > 0) || m_threads.contains(arena.thread);
        if (!wanted)
            return false;
    }
    if (numbers == NumbersAreSizes || m_numbers.isEmpty())
        return true;
    return std::any_of(m_numbers.cbegin(), m_numbers.cend(), [&arena](const QString &part) {
        return QString::number(arena.id) == part || QString::number(arena.thread).contains(part);
    });
}

} // namespace QPoolStatistics
