// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "holdermodel.h"

#include "inspector.h"

#include <qpoolstatisticsnumber.h>

using namespace Qt::StringLiterals;

namespace {

constexpr int MostSites = 10;

} // namespace

QString HolderModel::type() const
{
    return m_domain == "event"_L1 ? m_title.section(u" ("_s, 0, 0) : m_title;
}

void HolderModel::choose(const QString &domain, const QString &title)
{
    m_domain = domain;
    m_title = title;
    m_objects.reset();
    m_heap.reset();
    updateRows(&m_rows, {});
    Q_EMIT changed();
}

void HolderModel::setObjects(const ObjectReading &reading)
{
    m_objects = reading;
    showRows();
}

void HolderModel::setHeap(const HeapReading &reading)
{
    m_heap = reading;
    showRows();
}

void HolderModel::addCounts(QList<Row> *rows, const QString &heading,
                            const QList<ObjectReading::Count> &counts) const
{
    if (!counts.isEmpty())
        rows->append({ Heading, {}, heading, {} });
    for (const ObjectReading::Count &count : counts)
        rows->append({ Count, QPoolStatistics::count(count.objects), count.what, {} });
}

void HolderModel::addObjects(QList<Row> *rows, const QString &heading,
                             const QList<ObjectReading::Object> &objects) const
{
    if (!objects.isEmpty())
        rows->append({ Heading, {}, heading, {} });
    for (const ObjectReading::Object &object : objects) {
        rows->append({ Object, {}, object.title, object.facts });
        for (const QString &parent : object.parents)
            rows->append({ Parent, {}, tr("in %1").arg(parent), {} });
        if (object.parents.isEmpty())
            rows->append({ Parent, {}, tr("without a parent"), {} });
    }
}

void HolderModel::addSites(QList<Row> *rows) const
{
    rows->append({ Heading, {}, tr("Call sites of its blocks: about so much in use"), {} });
    if (!m_heap)
        return rows->append({ Note, {}, tr("The names of the code are being looked up …"), {} });
    if (!m_heap->error.isEmpty())
        return rows->append({ Note, {}, m_heap->error + u'.', {} });
    if (m_heap->sites.isEmpty()) {
        return rows->append({ Note, {},
                              m_heap->interval > 0
                                      ? tr("None of its blocks has been sampled yet.")
                                      : tr("Sampling is off. The page Call sites switches it on."), {} });
    }
    for (const HeapReading::Site &site : m_heap->sites.mid(0, MostSites)) {
        const QString caller = site.caller.isEmpty() ? QString()
                : (site.isDirect ? u"  <  "_s : u"  < … <  "_s) + site.caller;
        rows->append({ Count, QPoolStatistics::bytes(site.inUse), site.function + caller, {} });
    }
    if (m_heap->sites.size() > MostSites)
        rows->append({ Note, {}, tr("%1 more").arg(m_heap->sites.size() - MostSites), {} });
}

void HolderModel::showRows()
{
    QList<Row> rows;
    if (type() == Inspector::noClass()) {
        rows.append({ Note, {},
                      tr("All blocks that do not begin with a vtable: the contents of strings and lists, nodes of"
                         " hashes and maps, connections, structures of C libraries. They usually belong to objects,"
                         " so look first whether a class grows with them. The code that allocates them tells more."),
                      {} });
        addSites(&rows);
    } else if (m_objects) {
        if (!m_objects->error.isEmpty())
            rows.append({ Note, {}, m_objects->error + u'.', {} });
        addCounts(&rows, tr("%1 objects, by the class of their parents").arg(QPoolStatistics::count(m_objects->objects)),
                  m_objects->parents);
        addSites(&rows);
        addCounts(&rows, tr("Connections, and those to be deleted"), m_objects->states);
        addCounts(&rows, tr("Threads"), m_objects->threads);
        addObjects(&rows, tr("The newest of the parent that has most"), m_objects->newest);
        addObjects(&rows, tr("Those with the most children and connections"), m_objects->largest);
    }
    updateRows(&m_rows, rows);
    Q_EMIT changed();
}

QVariant HolderModel::value(int index, int role) const
{
    const Row &row = m_rows.at(index);
    switch (role) {
    case KindRole: return row.kind;
    case NumberRole: return row.number;
    case TextRole: return row.text;
    case FactsRole: return row.facts;
    default: return {};
    }
}

QHash<int, QByteArray> HolderModel::roleNames() const
{
    return { { KindRole, "kind" }, { NumberRole, "number" }, { TextRole, "text" }, { FactsRole, "facts" } };
}
