// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef POOLSNAPSHOT_H
#define POOLSNAPSHOT_H

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtTest/QTest>

// The snapshot's numbers for one size class of one domain, or a sum of them.
struct ClassStatistics
{
    qint64 allocated = 0;
    qint64 freed = 0;
    qint64 remote = 0;
    qint64 live = 0;

    ClassStatistics &operator+=(const ClassStatistics &other)
    {
        allocated += other.allocated;
        freed += other.freed;
        remote += other.remote;
        live += other.live;
        return *this;
    }

    friend ClassStatistics operator-(const ClassStatistics &a, const ClassStatistics &b)
    {
        return { a.allocated - b.allocated, a.freed - b.freed, a.remote - b.remote,
                 a.live - b.live };
    }

    friend bool operator==(const ClassStatistics &a, const ClassStatistics &b)
    {
        return a.allocated == b.allocated && a.freed == b.freed && a.remote == b.remote
                && a.live == b.live;
    }
};

// For QCOMPARE's messages.
inline char *toString(const ClassStatistics &statistics)
{
    return QTest::toString(QString::asprintf("allocated %lld, freed %lld, remote %lld, live %lld",
                                             statistics.allocated, statistics.freed,
                                             statistics.remote, statistics.live));
}

struct ArenaStatistics
{
    qint64 id = 0;
    qint64 thread = 0;
    bool orphaned = false;
    qint64 adoptions = 0;
    qint64 live = 0;
    qint64 pages = 0;
    qint64 backlog = 0;
};

// The statistics of one moment, read from their JSON format.
class PoolSnapshot
{
public:
    using Function = std::size_t (*)(char *, std::size_t);

    static QByteArray textOf(Function function)
    {
        QByteArray text;
        std::size_t length = function(nullptr, 0);
        do {
            text.resize(qsizetype(length) + 256);
            length = function(text.data(), std::size_t(text.size()));
        } while (length >= std::size_t(text.size()));
        text.truncate(qsizetype(length));
        return text;
    }

    static PoolSnapshot take(Function function) { return PoolSnapshot(textOf(function)); }

    explicit PoolSnapshot(const QByteArray &text)
        : m_root(QJsonDocument::fromJson(text).object())
    {
    }

    const QJsonObject &root() const { return m_root; }
    bool isEnabled() const { return m_root.value("enabled").toBool(); }

    // \a domain is "event", "object" or "private". A class that was never used is all zero.
    ClassStatistics statistics(const QString &domain, qint64 size) const
    {
        ClassStatistics result;
        for (const QJsonValue &entry : classes(domain)) {
            if (entry["size"].toInteger() == size)
                result += read(entry);
        }
        return result;
    }

    ClassStatistics total(const QString &domain) const
    {
        ClassStatistics result;
        for (const QJsonValue &entry : classes(domain))
            result += read(entry);
        return result;
    }

    QJsonArray classes(const QString &domain) const
    {
        return m_root["domains"][domain]["classes"].toArray();
    }

    QList<ArenaStatistics> arenas() const
    {
        QList<ArenaStatistics> result;
        for (const QJsonValue &entry : m_root["arenas"].toArray()) {
            result.append({ entry["id"].toInteger(), entry["thread"].toInteger(),
                            entry["orphaned"].toBool(), entry["adoptions"].toInteger(),
                            entry["live"].toInteger(), entry["pages"].toInteger(),
                            entry["backlog"].toInteger() });
        }
        return result;
    }

    // The newest arena that \a thread owns or was the last to own; id is 0 if there is none.
    ArenaStatistics arenaOf(qint64 thread) const
    {
        ArenaStatistics result;
        for (const ArenaStatistics &arena : arenas()) {
            if (arena.thread == thread && (result.id == 0 || result.orphaned))
                result = arena;
        }
        return result;
    }

    qint64 adoptions() const
    {
        qint64 sum = 0;
        for (const ArenaStatistics &arena : arenas())
            sum += arena.adoptions;
        return sum;
    }

    qint64 bytes(const char *what) const
    {
        return m_root["bytes"][QLatin1String(what)].toInteger();
    }

private:
    static ClassStatistics read(const QJsonValue &entry)
    {
        return { entry["allocated"].toInteger(), entry["freed"].toInteger(),
                 entry["remote"].toInteger(), entry["live"].toInteger() };
    }

    QJsonObject m_root;
};

#endif // POOLSNAPSHOT_H
