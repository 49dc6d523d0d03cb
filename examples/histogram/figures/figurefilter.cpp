// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "figurefilter.h"

#include <QtCore/qstringlist.h>

#include <algorithm>
#include <limits>
#include <optional>

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 Any = std::numeric_limits<qint64>::max();

std::optional<qint64> number(QStringView text)
{
    bool ok = false;
    const qint64 value = text.toLongLong(&ok);
    return ok && value >= 0 ? std::optional(value) : std::nullopt;
}

// A word that is begun stands for the whole, as it is being typed.
bool begins(const QString &whole, const QString &word)
{
    return whole.startsWith(word) || word == whole + u's';
}

} // namespace

FigureFilter::FigureFilter(const QString &text)
    : m_text(text.simplified().toLower())
{
    const QStringList words = m_text.split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words)
        add(word);
}

void FigureFilter::add(const QString &word)
{
    const QStringView view(word);
    const qsizetype dash = view.indexOf(u'-');
    if (const auto exact = number(view)) {
        m_sizes.append({ *exact, *exact });
        m_numbers.append(word);
    } else if (view.startsWith(u'>') || view.startsWith(u'<')) {
        // While the number is still to come there is nothing to hold back.
        const auto limit = number(view.mid(1));
        if (!limit && view.size() > 1)
            m_misunderstood = word;
        else if (limit)
            m_sizes.append(view.at(0) == u'>' ? Range { *limit + 1, Any }
                                              : Range { 0, *limit - 1 });
    } else if (dash > 0 && number(view.left(dash))) {
        const auto last = number(view.mid(dash + 1));
        if (!last && dash + 1 < view.size())
            m_misunderstood = word;
        else
            m_sizes.append({ *number(view.left(dash)), last.value_or(Any) });
    } else if (begins(u"event"_s, word)) {
        m_domains.append(Domain::Event);
    } else if (begins(u"private"_s, word)) {
        m_domains.append(Domain::Private);
    } else if (begins(u"heap"_s, word)) {
        m_domains.append(Domain::Heap);
    } else if (begins(u"main"_s, word)) {
        m_main = true;
    } else if (begins(u"adopted"_s, word)) {
        m_adopted = true;
    } else if (begins(u"object"_s, word) || begins(u"orphaned"_s, word)) {
        // Both begin with the same letter, and each is for another page.
        if (begins(u"object"_s, word))
            m_domains.append(Domain::Object);
        if (begins(u"orphaned"_s, word))
            m_orphaned = true;
    } else if (m_misunderstood.isEmpty()) {
        m_misunderstood = word;
    }
}

bool FigureFilter::matches(Domain domain) const
{
    return m_domains.isEmpty() || m_domains.contains(domain);
}

bool FigureFilter::matchesSize(int size) const
{
    return m_sizes.isEmpty()
           || std::any_of(m_sizes.cbegin(), m_sizes.cend(), [size](const Range &range) {
                  return size >= range.first && size <= range.last;
              });
}

bool FigureFilter::matches(const ArenaFigures &arena, qint64 pid) const
{
    if (m_main || m_orphaned || m_adopted) {
        const bool isMain = arena.thread == pid && !arena.orphaned;
        const bool wanted = (m_main && isMain) || (m_orphaned && arena.orphaned)
                            || (m_adopted && arena.adoptions > 0);
        if (!wanted)
            return false;
    }
    return m_numbers.isEmpty()
           || std::any_of(m_numbers.cbegin(), m_numbers.cend(), [&arena](const QString &part) {
                  return QString::number(arena.id) == part
                         || QString::number(arena.thread).contains(part);
              });
}
