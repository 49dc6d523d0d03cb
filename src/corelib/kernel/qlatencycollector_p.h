// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYCOLLECTOR_P_H
#define QLATENCYCOLLECTOR_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "qlatencyrecorder_p.h"

#include "qtickclock_p.h"
#include "qlatencyhistogram_p.h"
#include "qlatencypairing_p.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

QT_BEGIN_NAMESPACE

namespace QEventLatency {

class QPoolLatencyPublication;
class QPoolLatencyTrace;

// One thread, running or ended.
struct QPoolThreadLatency
{
    quint64 id = 0;
    std::string name;
    quint64 posted = 0;
    quint64 delivered = 0;
    quint64 dropped = 0; // records
    bool ended = false;
    bool folded = false; // its numbers are those of another entry: see QPoolLatencyCollector::fold()

    // An entry for the sums of several threads.
    static QPoolThreadLatency ofOthers()
    {
        QPoolThreadLatency others;
        others.name = "(other threads)";
        others.ended = true;
        return others;
    }
    void add(const QPoolThreadLatency &other)
    {
        posted += other.posted;
        delivered += other.delivered;
        dropped += other.dropped;
    }
};

// Events of one type to receivers of one class, by the thread that delivered or removed them; queued calls by signal
// and slot, too.
struct QPoolEventLatency
{
    quint64 delivered = 0;
    quint64 removed = 0;
    quint64 receiverDied = 0;
    quint64 compressed = 0;
    quint64 lost = 0; // the record of their end was dropped
    QPool::LatencyHistogram wait; // of delivered events whose post's record was not dropped
    QPool::LatencyHistogram run;

    void add(const QPoolEventLatency &other)
    {
        delivered += other.delivered;
        removed += other.removed;
        receiverDied += other.receiverDied;
        compressed += other.compressed;
        lost += other.lost;
        wait.add(other.wait);
        run.add(other.run);
    }
};

struct QPoolLatencyKey
{
    quint32 classId;
    quint32 type;
    unsigned thread;
    quint32 signal; // 0: none
    quint32 slot;

    auto asTuple() const { return std::tie(classId, type, thread, signal, slot); }
    bool operator<(const QPoolLatencyKey &other) const { return asTuple() < other.asTuple(); }
};

/*
    Empties the rings of all threads, a hundred times a second or when a ring is half full, finds the post
    of each event, and counts the events. It has its own thread, which starts with the first event and runs
    until the process ends. The thread calls no code of the program and blocks all signals.

    Two locks: m_rings guards the list of recorders, to which threads add theirs while they hold the lock of
    a list of events; m_mutex guards all else. A thread that takes both takes m_mutex first. A thread of the
    program waits for m_mutex in collect() alone.
*/
class QPoolLatencyCollector
{
public:
    // Null if recording is off, and in a child of fork().
    static QPoolLatencyCollector *instance() noexcept;
    static void begin() noexcept;

    // Any thread; may throw std::bad_alloc.
    void add(std::unique_ptr<QPoolLatencyRecorder> recorder);

    // A ring is half full.
    void wake() noexcept;

    // Counts a record of a thread that has no ring, or none any more.
    void countStray() noexcept { m_stray.fetch_add(1, std::memory_order_relaxed); }

    // Calls \a use with m_mutex held. The statistics then contain all events that ended before the call.
    template <class Function>
    void collect(Function &&use)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        passTwice();
        use();
    }

    // Only from within collect(). Of threads that ended only the last few hundred have numbers of their own; others()
    // has those of all others, if there are any.
    unsigned others() const noexcept { return m_others; }
    const std::vector<QPoolThreadLatency> &threads() const { return m_threads; }
    using Events = std::map<QPoolLatencyKey, std::unique_ptr<QPoolEventLatency>>;
    const Events &events() const { return m_events; }
    quint64 unfinished() const { return m_pairing.unfinished(); }
    // By the thread's place in threads(): the events that wait in its list, or that it handles.
    std::vector<quint64> unfinishedByThread() const;
    quint64 dropped() const;
    bool isTraced() const noexcept { return m_trace != nullptr; }
    quint64 untraced() const;
    static const char *clockName() noexcept { return QPool::Os::TickClock::name(); }

private:
    QPoolLatencyCollector();

    static void *run(void *collector);
    static void inChild();
    static void atExit();

    void startThread();
    void pass();
    void passTwice();
    void drain(QPoolLatencyRecorder &recorder);
    void count(const QPool::LatencyOutcome &outcome);
    quint32 classOf(const QPool::LatencyOutcome &outcome, QPoolClassNames::Parts delivered);
    void learnClass(quint64 firstWord, quint32 classId);
    void takeNew();
    void fold();
    unsigned placeOf(unsigned thread) const noexcept { return m_threads[thread].folded ? m_others : thread; }
    quint64 now() const noexcept { return m_rate.toNanoseconds(QPool::Os::TickClock::now()); }

    std::mutex m_rings;
    std::vector<std::unique_ptr<QPoolLatencyRecorder>> m_new; // guarded by m_rings
    bool m_started = false; // guarded by m_rings

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<std::unique_ptr<QPoolLatencyRecorder>> m_recorders;
    std::vector<QPoolThreadLatency> m_threads;
    Events m_events;
    static constexpr unsigned NoThread = ~0u;
    static constexpr std::size_t MostEnded = 256;
    std::vector<unsigned> m_ended; // threads that are not folded, the first to end first
    unsigned m_others = NoThread; // the entry that has the numbers of those that are
    unsigned m_threadOfQueue[QPool::LatencyPairing::QueueCount]; // the one that last delivered from it
    struct FirstWord
    {
        quint32 classId;
        bool certain; // an event was delivered to the class, or its module exports the name
    };
    std::unordered_map<quint64, FirstWord> m_firstWords;
    bool m_busy = false; // the last pass found something
    bool m_isNews = false; // something changed since the statistics were published
    QPool::LatencyPairing m_pairing;
    QPool::Os::TickRate m_rate;
    std::unique_ptr<QPoolLatencyTrace> m_trace;
    std::unique_ptr<QPoolLatencyPublication> m_publication;
    std::atomic<quint64> m_stray { 0 }; // a count and nothing else: relaxed
};

} // namespace QEventLatency

QT_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYCOLLECTOR_P_H
