// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "classmodel.h"

#include <QtCore/qhash.h>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace {

using Key = std::tuple<QString, QString, QString>;

Key keyOf(const ClassCount &entry)
{
    return { entry.domain, entry.title, entry.module };
}

} // namespace

qint64 ClassModel::live() const
{
    return sum(m_now.classes, &ClassCount::count);
}

qint64 ClassModel::bytes() const
{
    return sum(m_now.classes, &ClassCount::bytes);
}

void ClassModel::setOrder(Order order)
{
    if (m_order == order || (order == Growth && !m_mark))
        return;
    m_order = order;
    showRows();
}

void ClassModel::setSearch(const QString &text)
{
    if (m_search == text)
        return;
    m_search = text;
    showRows();
}

void ClassModel::setCensus(const ClassCensus &census)
{
    if (census.error.isEmpty() || !census.classes.isEmpty())
        m_now = census;
    else
        m_now.error = census.error;
    showRows();
}

void ClassModel::clear()
{
    m_now = {};
    m_mark.reset();
    if (m_order == Growth)
        m_order = Bytes;
    showRows();
}

void ClassModel::toggleMark()
{
    if (m_mark)
        m_mark.reset();
    else
        m_mark = m_now;
    m_order = m_mark ? Growth : m_order == Growth ? Bytes : m_order;
    showRows();
}

void ClassModel::showRows()
{
    QHash<QString, Row> byKey;
    const auto keyText = [](const ClassCount &entry) {
        return entry.domain + QChar(0) + entry.title + QChar(0) + entry.module;
    };
    for (const ClassCount &entry : std::as_const(m_now.classes))
        byKey[keyText(entry)] = { entry, m_mark ? entry.count : 0 };
    if (m_mark) {
        for (const ClassCount &entry : std::as_const(m_mark->classes)) {
            Row &row = byKey[keyText(entry)];
            if (row.now.title.isEmpty()) {
                row.now = entry;
                row.now.count = 0;
                row.now.bytes = 0;
            }
            row.growth -= entry.count;
        }
    }
    QList<Row> wanted;
    for (const Row &row : std::as_const(byKey)) {
        if (row.now.title.contains(m_search, Qt::CaseInsensitive)
            || row.now.domain.contains(m_search, Qt::CaseInsensitive)
            || row.now.module.contains(m_search, Qt::CaseInsensitive)) {
            wanted.append(row);
        }
    }
    const auto rank = [this](const Row &row) {
        const qint64 first = m_order == Growth ? row.growth
                : m_order == Count ? row.now.count : row.now.bytes;
        // Leaked objects also leak strings and lists, but the user searches for their class.
        const bool last = m_order == Growth && row.now.title == "(no class)"_L1;
        return std::make_tuple(last, -first, -row.now.bytes, keyOf(row.now));
    };
    std::sort(wanted.begin(), wanted.end(),
              [&](const Row &a, const Row &b) { return rank(a) < rank(b); });

    updateRows(&m_rows, wanted, [](const Row &a, const Row &b) { return keyOf(a.now) == keyOf(b.now); });
    Q_EMIT changed();
}

qreal ClassModel::barValue(const Row &row) const
{
    switch (m_order) {
    case Bytes: return qreal(row.now.bytes);
    case Count: return qreal(row.now.count);
    case Growth: return qreal(qMax<qint64>(0, row.growth));
    }
    return 0;
}

QVariant ClassModel::value(int index, int role) const
{
    const Row &row = m_rows.at(index);
    switch (role) {
    case TitleRole: return row.now.title;
    case DomainRole: return row.now.domain;
    case ModuleRole: return row.now.module;
    case NumberRole: return row.now.count;
    case BytesRole: return row.now.bytes;
    case GrowthRole: return row.growth;
    case ShareRole: {
        const qint64 whole = bytes();
        return whole > 0 ? qreal(row.now.bytes) / qreal(whole) : 0;
    }
    case BarRole: {
        // The rows are sorted by this value.
        const qreal largest = barValue(m_rows.first());
        return largest > 0 ? barValue(row) / largest : 0;
    }
    default: return {};
    }
}

QHash<int, QByteArray> ClassModel::roleNames() const
{
    return { { TitleRole, "title" },   { DomainRole, "domain" }, { ModuleRole, "module" },
             { NumberRole, "number" }, { BytesRole, "bytes" },   { GrowthRole, "growth" },
             { ShareRole, "share" },   { BarRole, "bar" } };
}
