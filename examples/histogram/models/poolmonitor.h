// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef POOLMONITOR_H
#define POOLMONITOR_H

#include "arenalog.h"
#include "arenamodel.h"
#include "cachemodel.h"
#include "classmodel.h"
#include "history.h"
#include "inspection.h"
#include "latencymodel.h"
#include "sizeclassmodel.h"
#include "snapshotsource.h"

#include <qpoolcommandname.h>

#include <QtCore/qelapsedtimer.h>
#include <QtCore/qtimer.h>
#include <QtQml/qqmlregistration.h>

#include <memory>

// Reads a snapshot from its source several times per second, and provides it to the window as
// properties and models.
class PoolMonitor : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("created by the program")
    Q_PROPERTY(State state READ state NOTIFY stateChanged)
    Q_PROPERTY(QString error READ error NOTIFY stateChanged)
    Q_PROPERTY(bool hasStatistics READ hasStatistics NOTIFY stateChanged)
    Q_PROPERTY(Origin origin READ origin NOTIFY sourceChanged)
    Q_PROPERTY(QString title READ title NOTIFY sourceChanged)
    Q_PROPERTY(bool canTrim READ canTrim NOTIFY sourceChanged)
    Q_PROPERTY(bool paused READ isPaused WRITE setPaused NOTIFY pausedChanged)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(QString misunderstood READ misunderstood NOTIFY filterChanged)
    Q_PROPERTY(QList<bool> domainsShown READ domainsShown NOTIFY domainsChanged)
    // Whether the process is a whole program: its malloc() uses the pool, too.
    Q_PROPERTY(bool hasHeap READ hasHeap NOTIFY domainsChanged)
    Q_PROPERTY(QString resetTime READ resetTime NOTIFY wasReset) // empty if counts start with the process
    Q_PROPERTY(qint64 pid READ pid NOTIFY sampled)
    Q_PROPERTY(QString qtVersion READ qtVersion NOTIFY sampled)
    Q_PROPERTY(QString qpoolCommand READ qpoolCommand CONSTANT) // how the user calls it
    Q_PROPERTY(qreal allocationsPerSecond READ allocationsPerSecond NOTIFY sampled)
    Q_PROPERTY(bool knowsRate READ knowsRate NOTIFY sampled)
    Q_PROPERTY(QString session READ sessionTitle NOTIFY sampled) // of a file: the command line and the time
    Q_PROPERTY(qint64 liveChunks READ liveChunks NOTIFY sampled)
    Q_PROPERTY(qint64 liveBytes READ liveBytes NOTIFY sampled)
    Q_PROPERTY(qint64 committedBytes READ committedBytes NOTIFY sampled)
    Q_PROPERTY(qint64 reservedBytes READ reservedBytes NOTIFY sampled)
    Q_PROPERTY(qint64 givenBackBytes READ givenBackBytes NOTIFY sampled)
    Q_PROPERTY(qint64 highestCommitted READ highestCommitted NOTIFY sampled)
    Q_PROPERTY(QList<qreal> liveBytesByDomain READ liveBytesByDomain NOTIFY sampled)
    Q_PROPERTY(SizeClassModel *events READ events CONSTANT)
    Q_PROPERTY(SizeClassModel *objects READ objects CONSTANT)
    Q_PROPERTY(SizeClassModel *privates READ privates CONSTANT)
    Q_PROPERTY(SizeClassModel *heap READ heap CONSTANT)
    Q_PROPERTY(ArenaModel *arenas READ arenas CONSTANT)
    Q_PROPERTY(ArenaLog *log READ log CONSTANT)
    Q_PROPERTY(ClassModel *classes READ classes CONSTANT)
    Q_PROPERTY(CacheModel *caches READ caches CONSTANT)
    Q_PROPERTY(LatencyModel *latency READ latency CONSTANT)
    Q_PROPERTY(Inspection *inspection READ inspection CONSTANT)
    // The time to the next census in milliseconds: longer if a census takes long.
    Q_PROPERTY(int censusInterval READ censusInterval NOTIFY censusTaken)

public:
    enum State {
        Nothing, // no source selected
        Waiting, // the source has no statistics yet
        Missing, // this QtCore has no pool
        Disabled, // the pool is disabled
        Gone, // the process has ended; its last statistics remain
        Incompatible, // the format has an unknown version
        Damaged, // the data is invalid
        Ready
    };
    Q_ENUM(State)
    enum Origin { NoOrigin, OwnProcess, OtherProcess, SavedFile };
    Q_ENUM(Origin)

    explicit PoolMonitor(QObject *parent = nullptr);

    void setSource(std::unique_ptr<SnapshotSource> source);
    Origin origin() const;
    QString title() const;
    bool canTrim() const { return m_source && m_source->canTrim(); }

    QString qpoolCommand() const { return QStringLiteral(QPOOL_COMMAND); }
    State state() const { return m_state; }
    QString error() const { return m_error; }
    bool hasStatistics() const { return m_hasStatistics; }
    bool isPaused() const { return m_paused; }
    void setPaused(bool paused);
    QString filter() const { return m_filterText; }
    void setFilter(const QString &text);
    QString misunderstood() const { return m_filter.misunderstood(); }
    QList<bool> domainsShown() const;
    bool hasHeap() const { return m_snapshot.hasHeap; }
    QString resetTime() const { return m_resetTime; }

    qint64 pid() const { return m_snapshot.pid; }
    QString qtVersion() const { return m_snapshot.qtVersion; }
    qreal allocationsPerSecond() const { return m_rate; }
    // A file without history has no rate.
    bool knowsRate() const { return origin() != SavedFile || m_moments.size() > 1; }
    QString sessionTitle() const { return origin() == SavedFile ? m_session.title() : QString(); }
    qint64 liveChunks() const { return m_snapshot.totalLive(); }
    qint64 liveBytes() const { return m_snapshot.liveBytes; }
    qint64 committedBytes() const { return m_snapshot.committedBytes; }
    qint64 reservedBytes() const { return m_snapshot.reservedBytes; }
    qint64 givenBackBytes() const; // negative: not known
    qint64 highestCommitted() const { return m_history.highestCommitted(); }
    QList<qreal> liveBytesByDomain() const;

    SizeClassModel *events() { return &m_classes[size_t(Domain::Event)]; }
    SizeClassModel *objects() { return &m_classes[size_t(Domain::Object)]; }
    SizeClassModel *privates() { return &m_classes[size_t(Domain::Private)]; }
    SizeClassModel *heap() { return &m_classes[size_t(Domain::Heap)]; }
    ArenaModel *arenas() { return &m_arenas; }
    ArenaLog *log() { return &m_log; }
    ClassModel *classes() { return &m_classCounts; }
    CacheModel *caches() { return &m_caches; }
    LatencyModel *latency() { return &m_latency; }
    const LatencyModel *latency() const { return &m_latency; }
    Inspection *inspection() { return &m_inspection; }
    int censusInterval() const { return m_censusInterval; }

    const Snapshot &snapshot() const { return m_snapshot; }
    const History &history() const { return m_history; }
    QByteArray json() const { return m_json; } // of the snapshot shown
    // What a file has beside it. Takes a census, unless the snapshot shown is an older one.
    Session takeSession();

    // Shows a snapshot that does not come from a source; for tests, too.
    void apply(const QByteArray &json, qint64 milliseconds);

    Q_INVOKABLE void trim();
    // Counts live objects by class. Takes 0.2 s per gigabyte.
    Q_INVOKABLE void takeCensus();
    // Starts counts at zero; live chunks remain.
    Q_INVOKABLE void reset();

public Q_SLOTS:
    void sample();

Q_SIGNALS:
    void sourceChanged();
    void stateChanged();
    void pausedChanged();
    void filterChanged();
    void domainsChanged();
    void wasReset();
    void sampled();
    void censusTaken();

private:
    struct Moment
    {
        qint64 milliseconds;
        qint64 allocated;
    };

    void tick();
    void take(const SnapshotSource::Reading &reading);
    void setState(State state, const QString &error = {});
    void updateTimer();
    void updateRate(qint64 milliseconds, qint64 allocated);
    void nameThreads(Snapshot *snapshot, qint64 milliseconds);
    bool readSession(const QByteArray &json, QString *error);
    void showHistory(qint64 milliseconds);
    void readLatency();
    void showClasses();
    void forget();
    void setSnapshot(Snapshot &&snapshot);

    std::unique_ptr<SnapshotSource> m_source;
    QTimer m_timer;
    QElapsedTimer m_clock;
    State m_state = Nothing;
    QString m_error;
    bool m_hasStatistics = false;
    bool m_paused = false;
    QString m_filterText;
    QPoolStatistics::Filter m_filter;
    QByteArray m_json;
    Snapshot m_snapshot;
    qint64 m_snapshotMoment = 0; // of the clock
    qint64 m_censusMoment = 0; // of the last census that succeeded
    Session m_session; // of a file all of it; otherwise the time, and the names of threads
    Snapshot m_baseline; // the snapshot of the last reset
    QString m_resetTime;
    History m_history;
    QList<Moment> m_moments;
    qreal m_rate = 0;
    std::array<SizeClassModel, DomainCount> m_classes { SizeClassModel(), SizeClassModel(),
                                                        SizeClassModel(),
                                                        SizeClassModel(SizeClassModel::Heap) };
    ArenaModel m_arenas;
    ArenaLog m_log;
    ClassModel m_classCounts;
    CacheModel m_caches;
    LatencyModel m_latency;
    std::optional<qint64> m_latencyDue;
    std::optional<qint64> m_namesDue;
    Inspection m_inspection;
    int m_censusInterval = 1000;
};

#endif // POOLMONITOR_H
