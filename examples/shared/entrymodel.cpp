// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "entrymodel.h"

#include <stats/qpoolprintable.h>

#include <QtCore/qtimer.h>
#include <QtNetwork/qlocalsocket.h>

#include <mutex>

using namespace Qt::StringLiterals;
using QPool::SharedSegment;

EntryModel::EntryModel(const QString &segment, QObject *parent)
    : QAbstractListModel(parent)
    , m_name(segment)
{
    m_news.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_news, &QLocalServer::newConnection, this, &EntryModel::accept);
    const QString name = Board::newsName(m_name);
    if (!m_news.listen(name)) {
        // Remains of a killed window; a running window keeps its name.
        QLocalSocket other;
        other.connectToServer(name);
        if (!other.waitForConnected(100)) {
            QLocalServer::removeServer(name);
            m_news.listen(name);
        }
    }
    look();
}

// The server deletes its sockets after the segment is destroyed. Their signals must not arrive then.
EntryModel::~EntryModel()
{
    for (QLocalSocket *socket : m_news.findChildren<QLocalSocket *>())
        socket->disconnect(this);
}

void EntryModel::accept()
{
    while (QLocalSocket *socket = m_news.nextPendingConnection()) {
        ++m_writers;
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            socket->readAll(); // only a notification; the content has no meaning
            look();
        });
        connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
            --m_writers;
            socket->deleteLater();
            look();
        });
        look();
    }
}

bool EntryModel::attach()
{
    m_segment = SharedSegment::attach(m_name.toUtf8());
    if (m_segment)
        m_root = m_segment.find<Board::Root>(Board::RootName);
    if (m_root) {
        m_problem.clear();
        m_structure = UINT64_MAX;
        return true;
    }
    m_problem = SharedSegment::lastError() == QPool::SharedError::NotFound
            ? u"There is no segment of this name yet. Start qpool-shared-writer."_s
            : QString::fromUtf8(QPool::errorText(SharedSegment::lastError()));
    m_segment = SharedSegment();
    return false;
}

void EntryModel::look()
{
    if (!m_root && !attach()) {
        Q_EMIT changed();
        return;
    }
    bool isNew = false;
    {
        const std::lock_guard<SharedSegment> guard(m_segment);
        m_changes = m_root->changes;
        m_statistics = m_segment.statistics();
        isNew = m_structure != m_root->structure;
        if (isNew) {
            beginResetModel();
            m_entries.clear();
            for (const Board::Map::value_type &entry : m_root->entries)
                m_entries.push_back(&entry);
            m_structure = m_root->structure;
            endResetModel();
        }
    }
    if (!isNew && !m_entries.empty())
        Q_EMIT dataChanged(index(0), index(count() - 1), { ValueRole, ChangesRole, WriterRole });
    Q_EMIT changed();
}

int EntryModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant EntryModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= count())
        return {};
    const std::lock_guard<SharedSegment> guard(m_segment);
    // If the structure changed, the entry may no longer exist; the notification will arrive.
    if (m_root->structure != m_structure)
        return {};
    const auto &[name, entry] = *m_entries[std::size_t(index.row())];
    switch (role) {
    case NameRole: return QString::fromStdString(QPool::printable({ name.data(), name.size() }));
    case ValueRole: return entry.value;
    case ChangesRole: return double(entry.changes);
    case WriterRole: return double(entry.writer);
    default: return {};
    }
}

QHash<int, QByteArray> EntryModel::roleNames() const
{
    return { { NameRole, "name" }, { ValueRole, "value" }, { ChangesRole, "changes" },
             { WriterRole, "writer" } };
}
