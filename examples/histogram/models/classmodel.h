// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CLASSMODEL_H
#define CLASSMODEL_H

#include "classcensus.h"
#include "rowmodel.h"


#include <optional>

// The live objects, one row per class; after a mark, with the growth since then.
class ClassModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by PoolMonitor")
    Q_PROPERTY(int total READ total NOTIFY changed) // classes
    Q_PROPERTY(qint64 live READ live NOTIFY changed)
    Q_PROPERTY(qint64 bytes READ bytes NOTIFY changed)
    Q_PROPERTY(qint64 uncertain READ uncertain NOTIFY changed)
    Q_PROPERTY(QString error READ error NOTIFY changed)
    Q_PROPERTY(bool marked READ isMarked NOTIFY changed)
    Q_PROPERTY(Order order READ order WRITE setOrder NOTIFY changed)
    Q_PROPERTY(QString search READ search WRITE setSearch NOTIFY changed)

public:
    enum Order { Bytes, Count, Growth };
    Q_ENUM(Order)
    enum Role {
        TitleRole = Qt::UserRole,
        DomainRole,
        ModuleRole,
        NumberRole,
        BytesRole,
        GrowthRole, // of the number of objects
        ShareRole, // share of all bytes, 0 to 1
        BarRole // share of the largest row, by the sort key, 0 to 1
    };

    using RowModel::RowModel;

    int count() const override { return int(m_rows.size()); }
    int total() const { return int(m_now.classes.size()); }
    qint64 live() const;
    qint64 bytes() const;
    qint64 uncertain() const { return m_now.uncertain; }
    QString error() const { return m_now.error; }
    const ClassCensus &census() const { return m_now; }
    bool isMarked() const { return m_mark.has_value(); }
    Order order() const { return m_order; }
    // Growth is ignored without a mark.
    void setOrder(Order order);
    QString search() const { return m_search; }
    void setSearch(const QString &text);

    // A failed census changes only error().
    void setCensus(const ClassCensus &census);
    void clear();
    // Stores the current census as the mark and sorts by growth, or removes the mark.
    Q_INVOKABLE void toggleMark();

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

protected:
    QVariant value(int row, int role) const override;

private:
    struct Row
    {
        ClassCount now;
        qint64 growth = 0;
    };

    void showRows();
    qreal barValue(const Row &row) const;

    ClassCensus m_now;
    std::optional<ClassCensus> m_mark;
    QList<Row> m_rows;
    Order m_order = Bytes;
    QString m_search;
};

#endif // CLASSMODEL_H
