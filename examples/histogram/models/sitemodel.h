// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SITEMODEL_H
#define SITEMODEL_H

#include "flamemodel.h"
#include "heapreading.h"
#include "rowmodel.h"

#include <QtCore/qhash.h>

// The call sites whose blocks are in use, one a row; after a mark, with the growth since then. All are estimates.
class SiteModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by Inspection")
    Q_PROPERTY(bool ready READ isReady NOTIFY changed)
    Q_PROPERTY(bool sampled READ isSampled NOTIFY changed)
    Q_PROPERTY(QString error READ error NOTIFY changed)
    Q_PROPERTY(QString notes READ notes NOTIFY changed)
    Q_PROPERTY(qint64 interval READ interval NOTIFY changed) // bytes
    Q_PROPERTY(qint64 samples READ samples NOTIFY changed)
    Q_PROPERTY(qreal inUse READ inUse NOTIFY changed)
    Q_PROPERTY(qreal allocated READ allocated NOTIFY changed)
    Q_PROPERTY(bool marked READ isMarked NOTIFY changed)
    Q_PROPERTY(Order order READ order WRITE setOrder NOTIFY changed)
    Q_PROPERTY(FlameModel *stacks READ stacks CONSTANT)

public:
    enum Order { InUse, Allocated, Growth };
    Q_ENUM(Order)
    enum Role {
        FunctionRole = Qt::UserRole,
        CallerRole, // with an ellipsis in front if there are others between
        TypeRole,
        InUseRole,
        AllocatedRole,
        GrowthRole,
        SamplesRole,
        ShareRole, // of all, by the sort key, or of what is in use; 0 to 1
        BarRole // of the largest row, by the sort key; 0 to 1
    };

    explicit SiteModel(QObject *parent = nullptr);

    int count() const override { return int(m_rows.size()); }
    bool isReady() const { return m_ready; }
    bool isSampled() const { return m_now.interval > 0; }
    QString error() const { return m_now.error; }
    QString notes() const { return m_now.notes.join(QStringLiteral("; ")); }
    qint64 interval() const { return m_now.interval; }
    qint64 samples() const { return m_now.samples; }
    qreal inUse() const { return m_now.inUse; }
    qreal allocated() const { return m_now.allocated; }
    bool isMarked() const { return m_mark.has_value(); }
    Order order() const { return m_order; }
    // Growth is ignored without a mark.
    void setOrder(Order order);
    FlameModel *stacks() { return &m_stacks; }

    // A failed reading changes only error().
    void setReading(const HeapReading &reading);
    void clear();
    // Stores what is in use as the mark and sorts by growth, or removes the mark.
    Q_INVOKABLE void toggleMark();

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

protected:
    QVariant value(int row, int role) const override;

private:
    struct Row
    {
        HeapReading::Site site;
        qreal growth = 0;
    };

    void showRows();
    qreal weight(const Row &row) const;

    HeapReading m_now;
    std::optional<QHash<QString, qreal>> m_mark; // bytes in use by key
    QList<Row> m_rows;
    Order m_order = InUse;
    bool m_ready = false;
    FlameModel m_stacks;
};

#endif // SITEMODEL_H
