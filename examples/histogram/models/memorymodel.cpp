// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "memorymodel.h"

using namespace Qt::StringLiterals;

namespace {

MemoryModel::Group groupOf(const QString &key)
{
    if (key.startsWith("pool."_L1))
        return MemoryModel::Pool;
    if (key == "heap"_L1 || key == "anonymous"_L1)
        return MemoryModel::Malloc;
    if (key.startsWith("script."_L1))
        return MemoryModel::Script;
    return key.startsWith("files."_L1) ? MemoryModel::Files : MemoryModel::Other;
}

} // namespace

QList<qreal> MemoryModel::byGroup() const
{
    QList<qreal> result(Other + 1, 0);
    for (const MemoryReading::Part &part : m_reading.owners)
        result[groupOf(part.key)] += qreal(part.bytes);
    return result;
}

void MemoryModel::setReading(const MemoryReading &reading)
{
    if (reading.error.isEmpty()) {
        m_reading = reading;
        m_ready = true;
        showRows();
    } else {
        m_reading.error = reading.error;
    }
    Q_EMIT changed();
}

void MemoryModel::clear()
{
    m_reading = {};
    m_ready = false;
    updateRows(&m_rows, {});
    Q_EMIT changed();
}

void MemoryModel::showRows()
{
    QList<Row> wanted;
    for (const MemoryReading::Part &part : std::as_const(m_reading.owners)) {
        if (part.bytes > 0)
            wanted.append({ Owner, part.title, part.bytes, groupOf(part.key) });
    }
    wanted.append({ Sum, tr("in all, as the system counts it (Rss)"), resident() });
    QList<Row> beyond;
    for (const MemoryReading::Part &part : std::as_const(m_reading.beyond)) {
        if (part.bytes > 0 || !part.known)
            beyond.append({ Beyond, part.title, part.bytes, Other, part.known });
    }
    if (!beyond.isEmpty())
        wanted += Row { Heading, tr("Not resident, but taken") };
    wanted += beyond;
    for (const QString &note : std::as_const(m_reading.notes))
        wanted.append({ Note, note + u'.' });
    updateRows(&m_rows, wanted);
}

QVariant MemoryModel::value(int index, int role) const
{
    const Row &row = m_rows.at(index);
    switch (role) {
    case KindRole: return row.kind;
    case TitleRole: return row.title;
    case BytesRole: return row.bytes;
    case ShareRole: {
        const qint64 whole = resident();
        return whole > 0 ? qreal(row.bytes) / qreal(whole) : 0;
    }
    case GroupRole: return row.group;
    case KnownRole: return row.known;
    default: return {};
    }
}

QHash<int, QByteArray> MemoryModel::roleNames() const
{
    return { { KindRole, "kind" },   { TitleRole, "title" }, { BytesRole, "bytes" },
             { ShareRole, "share" }, { GroupRole, "group" }, { KnownRole, "known" } };
}
