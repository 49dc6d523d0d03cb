// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef POOLMONITOR_H
#define POOLMONITOR_H

#include "arenamodel.h"
#include "sizeclassmodel.h"
#include "snapshotsource.h"

#include <QtCore/qelapsedtimer.h>
#include <QtCore/qtimer.h>
#include <QtQml/qqmlregistration.h>

// Takes a snapshot a few times a second and lays it out for the window.
class PoolMonitor : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("made by the program")
    Q_PROPERTY(State state READ state NOTIFY stateChanged)
    Q_PROPERTY(QString error READ error NOTIFY stateChanged)
    Q_PROPERTY(bool paused READ isPaused WRITE setPaused NOTIFY pausedChanged)
    Q_PROPERTY(qint64 pid READ pid NOTIFY sampled)
    Q_PROPERTY(QString qtVersion READ qtVersion NOTIFY sampled)
    Q_PROPERTY(qreal allocationsPerSecond READ allocationsPerSecond NOTIFY sampled)
    Q_PROPERTY(qint64 liveBytes READ liveBytes NOTIFY sampled)
    Q_PROPERTY(qint64 committedBytes READ committedBytes NOTIFY sampled)
    Q_PROPERTY(qint64 reservedBytes READ reservedBytes NOTIFY sampled)
    Q_PROPERTY(SizeClassModel *events READ events CONSTANT)
    Q_PROPERTY(SizeClassModel *objects READ objects CONSTANT)
    Q_PROPERTY(SizeClassModel *privates READ privates CONSTANT)
    Q_PROPERTY(ArenaModel *arenas READ arenas CONSTANT)

public:
    enum State {
        Missing, // this QtCore has no pool
        Disabled, // it has one that stands aside
        Damaged, // it answers, but not in a form we know
        Ready
    };
    Q_ENUM(State)

    explicit PoolMonitor(QObject *parent = nullptr);

    State state() const { return m_state; }
    QString error() const { return m_error; }
    bool isPaused() const { return m_paused; }
    void setPaused(bool paused);

    qint64 pid() const { return m_snapshot.pid; }
    QString qtVersion() const { return m_snapshot.qtVersion; }
    qreal allocationsPerSecond() const { return m_rate; }
    qint64 liveBytes() const { return m_snapshot.liveBytes; }
    qint64 committedBytes() const { return m_snapshot.committedBytes; }
    qint64 reservedBytes() const { return m_snapshot.reservedBytes; }

    SizeClassModel *events() { return &m_classes[size_t(Domain::Event)]; }
    SizeClassModel *objects() { return &m_classes[size_t(Domain::Object)]; }
    SizeClassModel *privates() { return &m_classes[size_t(Domain::Private)]; }
    ArenaModel *arenas() { return &m_arenas; }

    const Snapshot &snapshot() const { return m_snapshot; }
    QByteArray json() const { return m_json; } // what the figures shown were read from

    // The seam for figures that do not come from this process.
    void apply(const QByteArray &json, qint64 milliseconds);

    Q_INVOKABLE void trim();

public Q_SLOTS:
    void sample();

Q_SIGNALS:
    void stateChanged();
    void pausedChanged();
    void sampled();

private:
    struct Moment
    {
        qint64 milliseconds;
        qint64 allocated;
    };

    void setState(State state, const QString &error = {});
    void updateRate(qint64 milliseconds);

    SnapshotSource m_source;
    QTimer m_timer;
    QElapsedTimer m_clock;
    State m_state = Missing;
    QString m_error;
    bool m_paused = false;
    QByteArray m_json;
    Snapshot m_snapshot;
    QList<Moment> m_moments;
    qreal m_rate = 0;
    std::array<SizeClassModel, DomainCount> m_classes;
    ArenaModel m_arenas;
};

#endif // POOLMONITOR_H
