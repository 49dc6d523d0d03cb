// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "poolmonitor.h"

#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

#include <algorithm>
#include <chrono>
#include <numeric>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto SampleInterval = 200ms;
// Long enough for a stable value, short enough to show that a workload starts or stops.
constexpr qint64 RateWindow = 1000;
// The statistics of event latency are large, and processes publish them once a second.
constexpr qint64 LatencyInterval = 1000;
constexpr qint64 NamesInterval = 1000;
// Classes and sizes that were counted further apart are not of one moment.
constexpr qint64 MomentsApart = 2000;
// What blocks the window may use at most a tenth of the time.
constexpr qint64 ShareOfTime = 10;

// The counts since then. A count can be lower than before if it was read while its thread worked.
QList<SizeClassStatistics> since(const QList<SizeClassStatistics> &now,
                              const QList<SizeClassStatistics> &then)
{
    QList<SizeClassStatistics> result = now;
    for (SizeClassStatistics &sizeClass : result) {
        const auto before = std::lower_bound(
                then.cbegin(), then.cend(), sizeClass.size,
                [](const SizeClassStatistics &f, int size) { return f.size < size; });
        if (before == then.cend() || before->size != sizeClass.size)
            continue;
        sizeClass.allocated = qMax<qint64>(0, sizeClass.allocated - before->allocated);
        sizeClass.freed = qMax<qint64>(0, sizeClass.freed - before->freed);
        sizeClass.remote = qMax<qint64>(0, sizeClass.remote - before->remote);
    }
    return result;
}

} // namespace

PoolMonitor::PoolMonitor(QObject *parent)
    : QObject(parent)
{
    m_clock.start();
    m_timer.setInterval(SampleInterval);
    connect(&m_timer, &QTimer::timeout, this, &PoolMonitor::tick);
    // Without a parent, QML would take ownership of objects returned by properties.
    for (SizeClassModel &model : m_classes)
        model.setParent(this);
    m_arenas.setParent(this);
    m_log.setParent(this);
    m_classCounts.setParent(this);
    m_caches.setParent(this);
    m_latency.setParent(this);
    m_inspection.setParent(this);
}

void PoolMonitor::setSource(std::unique_ptr<SnapshotSource> source)
{
    m_source = std::move(source);
    m_inspection.setInspector(m_source ? m_source->inspector() : nullptr);
    forget();
    m_classCounts.clear();
    m_latency.clear();
    m_latencyDue.reset();
    m_namesDue.reset();
    m_hasStatistics = false;
    m_json.clear();
    m_session = {};
    setSnapshot({});
    showClasses();
    if (m_paused) {
        m_paused = false;
        Q_EMIT pausedChanged();
    }
    m_state = m_source ? Waiting : Nothing;
    m_error.clear();
    sample();
    if (m_source && m_source->isStill())
        takeCensus();
    Q_EMIT sourceChanged();
    Q_EMIT stateChanged();
    Q_EMIT sampled();
    updateTimer();
}

void PoolMonitor::forget()
{
    m_baseline = {};
    m_resetTime.clear();
    m_history.clear();
    m_moments.clear();
    m_rate = 0;
    m_arenas.clear();
    m_log.clear();
    Q_EMIT wasReset();
}

void PoolMonitor::takeCensus()
{
    if (!m_source)
        return;
    constexpr qint64 least = 1000;
    const qint64 begun = m_clock.elapsed();
    const ClassCensus census = m_source->census();
    if (census.error.isEmpty())
        m_censusMoment = begun;
    m_classCounts.setCensus(census);
    const qint64 interval = qMax(least, ShareOfTime * (m_clock.elapsed() - begun));
    if (m_censusInterval != int(interval)) {
        m_censusInterval = int(interval);
        Q_EMIT censusTaken();
    }
}

PoolMonitor::Origin PoolMonitor::origin() const
{
    if (!m_source)
        return NoOrigin;
    switch (m_source->kind()) {
    case SnapshotSource::Kind::Own:
        return OwnProcess;
    case SnapshotSource::Kind::Process:
        return OtherProcess;
    case SnapshotSource::Kind::File:
        break;
    }
    return SavedFile;
}

QString PoolMonitor::title() const
{
    return m_source ? m_source->title() : QString();
}

void PoolMonitor::setPaused(bool paused)
{
    const bool changes = m_source && !m_source->isStill() && m_state != Gone;
    if (m_paused == paused || (paused && !changes))
        return;
    m_paused = paused;
    // Allocations during the pause must not count into the current rate.
    if (!paused)
        m_moments.clear();
    m_latency.interrupt();
    Q_EMIT pausedChanged();
}

void PoolMonitor::setFilter(const QString &text)
{
    if (m_filterText == text)
        return;
    m_filterText = text;
    const QPoolStatistics::Filter filter(text);
    if (filter != m_filter) {
        m_filter = filter;
        for (SizeClassModel &model : m_classes)
            model.setFilter(filter);
        m_arenas.setFilter(filter);
        Q_EMIT domainsChanged();
    }
    Q_EMIT filterChanged();
}

QList<bool> PoolMonitor::domainsShown() const
{
    return { m_filter.matches(Domain::Event), m_filter.matches(Domain::Object),
             m_filter.matches(Domain::Private), hasHeap() && m_filter.matches(Domain::Heap) };
}

QList<qreal> PoolMonitor::liveBytesByDomain() const
{
    QList<qreal> bytes;
    for (int d = 0; d < DomainCount; ++d)
        bytes.append(qreal(m_snapshot.liveBytesOf(Domain(d))));
    return bytes;
}

qint64 PoolMonitor::givenBackBytes() const
{
    if (!m_snapshot.decommittedBytes)
        return -1;
    return qMax<qint64>(0, *m_snapshot.decommittedBytes - m_baseline.decommittedBytes.value_or(0));
}

void PoolMonitor::updateTimer()
{
    const bool more = m_source && !m_source->isStill() && m_state != Missing && m_state != Gone
                      && m_state != Incompatible;
    if (more && !m_timer.isActive())
        m_timer.start();
    else if (!more)
        m_timer.stop();
}

// Also in a pause, the end of the process is reported.
void PoolMonitor::tick()
{
    if (!m_paused) {
        sample();
        return;
    }
    const SnapshotSource::Reading reading = m_source->read();
    if (reading.status == SnapshotSource::Status::Gone)
        take(reading);
}

void PoolMonitor::sample()
{
    if (!m_source)
        return;
    take(m_source->read());
    readLatency();
}

void PoolMonitor::readLatency()
{
    const qint64 now = m_clock.elapsed();
    if (m_state == Gone || (m_latencyDue && now < *m_latencyDue))
        return;
    m_latency.setReading(m_source->latency(), now);
    // It blocks the window, too. A process that has had very many threads has long statistics.
    m_latencyDue = now + qMax(LatencyInterval, ShareOfTime * (m_clock.elapsed() - now));
}

void PoolMonitor::take(const SnapshotSource::Reading &reading)
{
    switch (reading.status) {
    case SnapshotSource::Status::Ready:
        // After an exec() it is another program.
        if (m_state == Waiting && m_hasStatistics) {
            setSource(std::move(m_source));
            return;
        }
        apply(reading.json, m_clock.elapsed());
        break;
    case SnapshotSource::Status::Waiting:
        setState(Waiting, reading.message);
        break;
    case SnapshotSource::Status::Missing:
        setState(Missing, reading.message);
        break;
    case SnapshotSource::Status::Gone:
        // The state at the end of the process, if it can still be read.
        if (!reading.json.isEmpty() && !m_paused)
            apply(reading.json, m_clock.elapsed());
        setState(Gone, reading.message);
        break;
    case SnapshotSource::Status::Incompatible:
        setState(Incompatible, reading.message);
        break;
    case SnapshotSource::Status::Damaged:
        setState(Damaged, reading.message);
        break;
    }
    updateTimer();
}

void PoolMonitor::trim()
{
    if (!canTrim())
        return;
    m_source->trim();
    if (!m_paused)
        sample();
}

void PoolMonitor::reset()
{
    if (!m_hasStatistics)
        return;
    forget();
    m_baseline = m_snapshot;
    m_resetTime = QTime::currentTime().toString(u"HH:mm:ss"_s);
    m_arenas.setArenas(m_snapshot.arenas, m_snapshot.pid, m_clock.elapsed());
    showClasses();
    Q_EMIT wasReset();
    Q_EMIT sampled();
}

void PoolMonitor::setSnapshot(Snapshot &&snapshot)
{
    const bool hadHeap = m_snapshot.hasHeap;
    m_snapshot = std::move(snapshot);
    m_caches.setCaches(m_snapshot.caches);
    if (m_snapshot.hasHeap != hadHeap)
        Q_EMIT domainsChanged();
}

void PoolMonitor::showClasses()
{
    for (size_t d = 0; d < DomainCount; ++d)
        m_classes[d].setClasses(since(m_snapshot.domains[d], m_baseline.domains[d]));
}

void PoolMonitor::apply(const QByteArray &json, qint64 milliseconds)
{
    QString error;
    std::optional<Snapshot> snapshot = Snapshot::fromJson(json, &error);
    if (!snapshot) {
        setState(Snapshot::isOtherVersion(json) ? Incompatible : Damaged, error);
        return;
    }
    if (!readSession(json, &error)) {
        setState(Damaged, error);
        return;
    }
    m_json = json;
    m_snapshotMoment = milliseconds;
    nameThreads(&*snapshot, milliseconds);
    setSnapshot(*std::move(snapshot));
    if (m_snapshot.enabled) {
        showHistory(milliseconds);
        updateRate(milliseconds, m_snapshot.totalAllocated());
        m_history.add(m_snapshot, milliseconds);
        showClasses();
        const auto events = m_arenas.setArenas(m_snapshot.arenas, m_snapshot.pid, milliseconds);
        m_log.add(events, milliseconds, QTime::currentTime());
    }
    setState(m_snapshot.enabled ? Ready : Disabled);
    Q_EMIT sampled();
}

// A file has the names itself.
void PoolMonitor::nameThreads(Snapshot *snapshot, qint64 milliseconds)
{
    if (m_source && (!m_namesDue || milliseconds >= *m_namesDue)) {
        m_session.threadNames = m_source->threadNames();
        m_namesDue = milliseconds + NamesInterval;
    }
    for (ArenaStatistics &arena : snapshot->arenas) {
        const QString name = m_session.threadNames.value(arena.thread);
        if (!name.isEmpty() && !arena.orphaned)
            arena.threadName = name;
    }
}

bool PoolMonitor::readSession(const QByteArray &json, QString *error)
{
    if (origin() != SavedFile) {
        m_session.time = QDateTime::currentDateTimeUtc();
        return true;
    }
    const auto session = Session::fromJson(QJsonDocument::fromJson(json).object(), error);
    m_session = session.value_or(Session());
    return session.has_value();
}

// What the charts showed when the file was saved. The last point is the snapshot itself. A file that is read again
// has not become older.
void PoolMonitor::showHistory(qint64 milliseconds)
{
    if (origin() != SavedFile)
        return;
    m_history.clear();
    m_moments.clear();
    for (HistoryPoint point : std::as_const(m_session.history)) {
        if (point.milliseconds == 0)
            break;
        point.milliseconds += milliseconds;
        m_history.add(point);
        updateRate(point.milliseconds, std::accumulate(point.allocated.begin(), point.allocated.end(), qint64(0)));
    }
}

Session PoolMonitor::takeSession()
{
    Session session;
    session.time = m_session.time;
    session.command = m_source ? m_source->command() : QStringList();
    session.threadNames = m_session.threadNames;
    session.history = m_history.points();
    const bool isOlder = m_paused || m_state == Gone;
    if (!isOlder || m_classCounts.total() == 0)
        takeCensus();
    const ClassCensus &census = m_classCounts.census();
    session.uncertain = census.uncertain;
    session.classesProblem = census.error;
    const bool isKept = isOlder && !census.classes.isEmpty(); // also if there is none any more
    if (census.error.isEmpty() || isKept)
        session.classes = census.classes;
    if (isKept) {
        const qint64 later = m_censusMoment - m_snapshotMoment;
        session.classesProblem = qAbs(later) < MomentsApart ? QString()
                : tr("they were counted %1 s %2 the other numbers").arg(qAbs(later) / 1000)
                          .arg(later < 0 ? tr("before") : tr("after"));
    }
    return session;
}

void PoolMonitor::updateRate(qint64 milliseconds, qint64 allocated)
{
    const Moment now { milliseconds, allocated };
    // Lower counts mean another process: start again.
    if (!m_moments.isEmpty() && now.allocated < m_moments.last().allocated)
        m_moments.clear();
    m_moments.append(now);
    while (m_moments.size() > 2 && now.milliseconds - m_moments.at(1).milliseconds >= RateWindow)
        m_moments.removeFirst();
    const Moment &then = m_moments.first();
    const qint64 elapsed = now.milliseconds - then.milliseconds;
    m_rate = elapsed > 0 ? qreal(now.allocated - then.allocated) * 1000 / qreal(elapsed) : 0;
}

void PoolMonitor::setState(State state, const QString &error)
{
    const bool hasStatistics = m_hasStatistics || state == Ready;
    if (m_state == state && m_error == error && m_hasStatistics == hasStatistics)
        return;
    m_state = state;
    m_error = error;
    m_hasStatistics = hasStatistics;
    Q_EMIT stateChanged();
}
