// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef ENTRYMODEL_H
#define ENTRYMODEL_H

#include "board.h"

#include <QtCore/qabstractitemmodel.h>
#include <QtNetwork/qlocalserver.h>
#include <QtQml/qqmlregistration.h>

#include <vector>

// The entries of the map in the segment, as rows. data() reads entries in place, without copies. A byte
// at the local socket updates the model.
class EntryModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by the program")
    Q_PROPERTY(QString problem READ problem NOTIFY changed)
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(double changes READ changes NOTIFY changed)
    Q_PROPERTY(double usedBytes READ usedBytes NOTIFY changed)
    Q_PROPERTY(double segmentBytes READ segmentBytes NOTIFY changed)
    Q_PROPERTY(double deaths READ deaths NOTIFY changed)
    Q_PROPERTY(int writers READ writers NOTIFY changed)

public:
    enum Role { NameRole = Qt::UserRole, ValueRole, ChangesRole, WriterRole };

    explicit EntryModel(const QString &segment, QObject *parent = nullptr);
    ~EntryModel() override;

    QString problem() const { return m_problem; }
    int count() const { return int(m_entries.size()); }
    double changes() const { return m_root ? double(m_changes) : 0; }
    double usedBytes() const { return double(m_statistics.usedBytes); }
    double segmentBytes() const { return double(m_statistics.bytes); }
    double deaths() const { return double(m_statistics.deaths); }
    int writers() const { return m_writers; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void changed();

private:
    void accept();
    void look();
    bool attach();

    const QString m_name;
    QLocalServer m_news;
    int m_writers = 0;
    mutable QPool::SharedSegment m_segment;
    Board::Root *m_root = nullptr;
    QPool::SharedStatistics m_statistics;
    QString m_problem;
    std::vector<const Board::Map::value_type *> m_entries; // pointers into the segment
    std::uint64_t m_structure = 0; // the value for which m_entries is valid
    std::uint64_t m_changes = 0;
};

#endif // ENTRYMODEL_H
