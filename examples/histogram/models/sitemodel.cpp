// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sitemodel.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

SiteModel::SiteModel(QObject *parent)
    : RowModel(parent)
{
    // Without a parent, QML would take ownership of an object returned by a property.
    m_stacks.setParent(this);
}

void SiteModel::setOrder(Order order)
{
    if (m_order == order || (order == Growth && !m_mark))
        return;
    m_order = order;
    showRows();
}

void SiteModel::setReading(const HeapReading &reading)
{
    if (reading.error.isEmpty()) {
        m_now = reading;
        m_ready = true;
        showRows();
    } else {
        m_now.error = reading.error;
        Q_EMIT changed();
    }
}

void SiteModel::clear()
{
    m_now = {};
    m_mark.reset();
    m_ready = false;
    if (m_order == Growth)
        m_order = InUse;
    m_stacks.showAll();
    showRows();
}

void SiteModel::toggleMark()
{
    if (m_mark) {
        m_mark.reset();
    } else {
        m_mark.emplace();
        for (const HeapReading::Site &site : std::as_const(m_now.sites))
            m_mark->insert(site.key, site.inUse);
    }
    m_order = m_mark ? Growth : m_order == Growth ? InUse : m_order;
    showRows();
}

qreal SiteModel::weight(const Row &row) const
{
    switch (m_order) {
    case InUse: return row.site.inUse;
    case Allocated: return row.site.allocated;
    case Growth: return row.growth;
    }
    return 0;
}

void SiteModel::showRows()
{
    QList<Row> wanted;
    for (const HeapReading::Site &site : std::as_const(m_now.sites))
        wanted.append({ site, m_mark ? site.inUse - m_mark->value(site.key) : 0 });
    std::sort(wanted.begin(), wanted.end(), [this](const Row &one, const Row &other) {
        return std::tuple(-weight(one), -one.site.inUse, one.site.key)
                < std::tuple(-weight(other), -other.site.inUse, other.site.key);
    });
    updateRows(&m_rows, wanted);
    m_stacks.setStacks(m_now.stacks, m_order == Allocated);
    Q_EMIT changed();
}

QVariant SiteModel::value(int index, int role) const
{
    const Row &row = m_rows.at(index);
    switch (role) {
    case FunctionRole: return row.site.function;
    case CallerRole: return row.site.isDirect ? row.site.caller : u"… "_s + row.site.caller;
    case TypeRole: return row.site.type;
    case InUseRole: return row.site.inUse;
    case AllocatedRole: return row.site.allocated;
    case GrowthRole: return row.growth;
    case SamplesRole: return row.site.samples;
    case ShareRole: {
        const qreal whole = m_order == Allocated ? m_now.allocated : m_now.inUse;
        return whole > 0 ? (m_order == Allocated ? row.site.allocated : row.site.inUse) / whole : 0;
    }
    case BarRole: {
        const qreal largest = weight(m_rows.first());
        return largest > 0 ? qMax(0.0, weight(row)) / largest : 0;
    }
    default: return {};
    }
}

QHash<int, QByteArray> SiteModel::roleNames() const
{
    return { { FunctionRole, "site" },   { CallerRole, "caller" },   { TypeRole, "type" },
             { InUseRole, "inUse" },         { AllocatedRole, "allocated" }, { GrowthRole, "growth" },
             { SamplesRole, "samples" },     { ShareRole, "share" },     { BarRole, "bar" } };
}
