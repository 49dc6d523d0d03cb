// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef HOLDERMODEL_H
#define HOLDERMODEL_H

#include "heapreading.h"
#include "objectreading.h"
#include "rowmodel.h"

// What is known of one class: who holds its objects, some of them, and which code allocated its blocks.
class HolderModel : public RowModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by Inspection")
    Q_PROPERTY(QString title READ title NOTIFY changed) // as in the list of classes; empty: none is chosen
    Q_PROPERTY(QString domain READ domain NOTIFY changed)
    Q_PROPERTY(bool ready READ isReady NOTIFY changed)

public:
    enum Kind { Heading, Count, Object, Parent, Note };
    Q_ENUM(Kind)
    enum Role { KindRole = Qt::UserRole, NumberRole, TextRole, FactsRole };

    using RowModel::RowModel;

    int count() const override { return int(m_rows.size()); }
    QString title() const { return m_title; }
    QString domain() const { return m_domain; }
    // The name of the class without the type of its events.
    QString type() const;
    bool isChosen() const { return !m_title.isEmpty(); }
    bool isReady() const { return m_objects.has_value(); }

    void choose(const QString &domain, const QString &title);
    void clear() { choose({}, {}); }
    void setObjects(const ObjectReading &reading);
    void setHeap(const HeapReading &reading); // of the blocks of this class

    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

protected:
    QVariant value(int row, int role) const override;

private:
    struct Row
    {
        Kind kind;
        QString number;
        QString text;
        QString facts;
    };

    void showRows();
    void addCounts(QList<Row> *rows, const QString &heading, const QList<ObjectReading::Count> &counts) const;
    void addObjects(QList<Row> *rows, const QString &heading, const QList<ObjectReading::Object> &objects) const;
    void addSites(QList<Row> *rows) const;

    QString m_domain;
    QString m_title;
    std::optional<ObjectReading> m_objects;
    std::optional<HeapReading> m_heap;
    QList<Row> m_rows;
};

#endif // HOLDERMODEL_H
