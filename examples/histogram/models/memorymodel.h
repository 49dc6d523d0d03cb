// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef MEMORYMODEL_H
#define MEMORYMODEL_H

#include "memoryreading.h"
#include "rowmodel.h"

// A process's memory: its owners, their sum, then what is not resident, and notes. What is empty is left out.
class MemoryModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by Inspection")
    Q_PROPERTY(bool ready READ isReady NOTIFY changed)
    Q_PROPERTY(QString error READ error NOTIFY changed)
    Q_PROPERTY(qint64 resident READ resident NOTIFY changed)
    Q_PROPERTY(qint64 pool READ pool NOTIFY changed)
    Q_PROPERTY(qint64 script READ script NOTIFY changed) // without code
    Q_PROPERTY(qint64 hidden READ hidden NOTIFY changed)
    Q_PROPERTY(bool hiddenKnown READ isHiddenKnown NOTIFY changed)
    Q_PROPERTY(QList<qreal> byGroup READ byGroup NOTIFY changed) // resident bytes

public:
    enum Kind { Owner, Sum, Heading, Beyond, Note };
    Q_ENUM(Kind)
    enum Group { Pool, Malloc, Script, Files, Other };
    Q_ENUM(Group)
    enum Role {
        KindRole = Qt::UserRole,
        TitleRole,
        BytesRole,
        ShareRole, // of all that is resident, 0 to 1
        GroupRole, // of owners
        KnownRole // false: at least so many bytes
    };

    using RowModel::RowModel;

    int count() const override { return int(m_rows.size()); }
    bool isReady() const { return m_ready; }
    QString error() const { return m_reading.error; }
    qint64 resident() const { return sum(m_reading.owners, &MemoryReading::Part::bytes); }
    qint64 pool() const { return qint64(byGroup().at(Pool)); }
    qint64 script() const { return qint64(byGroup().at(Script)); }
    qint64 hidden() const { return m_reading.hidden; }
    bool isHiddenKnown() const { return m_reading.hiddenKnown; }
    QList<qreal> byGroup() const;

    // A failed reading changes only error().
    void setReading(const MemoryReading &reading);
    void clear();

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

protected:
    QVariant value(int row, int role) const override;

private:
    struct Row
    {
        Kind kind;
        QString title;
        qint64 bytes = 0;
        Group group = Other;
        bool known = true;
    };

    void showRows();

    MemoryReading m_reading;
    bool m_ready = false;
    QList<Row> m_rows;
};

#endif // MEMORYMODEL_H
