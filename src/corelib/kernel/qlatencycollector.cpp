// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qlatencycollector_p.h"
#include "qeventlatency_p.h"
#include "qlatencycalls_p.h"
#include "qlatencypublication_p.h"
#include "qlatencytrace_p.h"

#include <QtCore/qcoreevent.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <pthread.h>
#include <signal.h>

using QPool::LatencyOutcome;
using QPool::LatencyRecord;

QT_BEGIN_NAMESPACE

namespace QEventLatency {

namespace {

// Set once, before there are events and threads; null again in a child of fork(), which has none.
std::atomic<QPoolLatencyCollector *> theCollector { nullptr };

// From one pass to the next; longer while the passes find nothing.
constexpr std::chrono::milliseconds Pause { 10 };
constexpr std::chrono::milliseconds LongPause { 80 };

// Blocks all signals in the calling thread while it exists.
class SignalsOff
{
public:
    SignalsOff()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    ~SignalsOff() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    Q_DISABLE_COPY_MOVE(SignalsOff)

private:
    sigset_t m_before;
};

} // namespace

QPoolLatencyCollector *QPoolLatencyCollector::instance() noexcept
{
    return theCollector.load(std::memory_order_acquire);
}

void QPoolLatencyCollector::begin() noexcept
{
    try {
        // Never destroyed: threads may run until the process is gone.
        theCollector.store(new QPoolLatencyCollector, std::memory_order_release);
    } catch (const std::bad_alloc &) {
        std::fputs("qpool: no memory to record how long events wait\n", stderr);
        return;
    }
    pthread_atfork(nullptr, nullptr, &inChild);
    std::atexit(&atExit);
    recording.store(true, std::memory_order_relaxed);
}

QPoolLatencyCollector::QPoolLatencyCollector()
{
    std::fill(std::begin(m_threadOfQueue), std::end(m_threadOfQueue), NoThread);
    QPool::Os::TickClock::choose();
    m_rate.begin();
    m_trace = QPoolLatencyTrace::fromEnvironment();
    m_publication = QPoolLatencyPublication::fromEnvironment();
}

// A child has none of the parent's threads, and the parent reports what they recorded.
void QPoolLatencyCollector::inChild()
{
    recording.store(false, std::memory_order_relaxed);
    QPoolLatencyCollector *parents = theCollector.exchange(nullptr, std::memory_order_relaxed);
    // The child must not keep the socket open: the reader must see its end when the parent ends.
    if (parents && parents->m_trace)
        parents->m_trace->abandon();
    if (parents && parents->m_publication)
        parents->m_publication->abandon();
}

void QPoolLatencyCollector::atExit()
{
    QPoolLatencyCollector *collector = instance();
    if (!collector)
        return;
    try {
        collector->collect([collector] {
            if (collector->m_trace)
                collector->m_trace->end(collector->now());
        });
    } catch (const std::bad_alloc &) {
        // The program ends as it would without records.
    }
}

void QPoolLatencyCollector::add(std::unique_ptr<QPoolLatencyRecorder> recorder)
{
    const std::lock_guard<std::mutex> lock(m_rings);
    m_new.push_back(std::move(recorder));
    if (!m_started) {
        m_started = true;
        startThread();
    }
}

void QPoolLatencyCollector::startThread()
{
    const SignalsOff signalsOff; // which the thread inherits
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    // Without one the rings are emptied by the thread that reads the statistics.
    if (pthread_create(&thread, &attributes, &run, this) != 0)
        std::fputs("qpool: no thread to record how long events wait: records will be dropped\n",
                   stderr);
    pthread_attr_destroy(&attributes);
}

void *QPoolLatencyCollector::run(void *argument)
{
    auto *self = static_cast<QPoolLatencyCollector *>(argument);
#if defined(Q_OS_LINUX)
    pthread_setname_np(pthread_self(), "qpool-latency");
#endif
    auto pause = Pause;
    std::unique_lock<std::mutex> lock(self->m_mutex);
    for (;;) {
        // wake() does not take the lock. If it is called too early, the records wait for the end of the
        // pause.
        self->m_wake.wait_for(lock, pause);
        try {
            self->pass();
            if (self->m_publication && self->m_isNews && self->m_publication->update(*self))
                self->m_isNews = false;
        } catch (const std::bad_alloc &) {
            // The records of this pass are missing in the statistics; the program may free memory and
            // go on.
        }
        pause = self->m_busy ? Pause : (std::min)(2 * pause, LongPause);
    }
    return nullptr;
}

void QPoolLatencyCollector::wake() noexcept
{
    m_wake.notify_one();
}

quint64 QPoolLatencyCollector::dropped() const
{
    quint64 result = m_stray.load(std::memory_order_relaxed);
    for (const QPoolThreadLatency &thread : m_threads)
        result += thread.dropped;
    return result;
}

quint64 QPoolLatencyCollector::untraced() const
{
    return m_trace ? m_trace->missing() : 0;
}

// Two passes settle all events that ended before the first one: see LatencyPairing.
void QPoolLatencyCollector::passTwice()
{
    // Early in a process the clock's rate is not known yet.
    while (!m_rate.settle())
        QPool::Os::TickClock::nanoseconds();
    pass();
    pass();
}

void QPoolLatencyCollector::pass()
{
    if (!m_rate.settle())
        return;
    m_busy = false;
    takeNew();
    for (std::unique_ptr<QPoolLatencyRecorder> &recorder : m_recorders) {
        // Load it before the ring is emptied: the thread pushes nothing after it sets it.
        const bool ended = recorder->ended.load(std::memory_order_acquire);
        drain(*recorder);
        QPoolThreadLatency &thread = m_threads[recorder->index];
        thread.dropped = recorder->dropped.load(std::memory_order_relaxed);
        thread.ended = ended;
        if (ended) {
            // A later thread may have the list.
            std::replace(std::begin(m_threadOfQueue), std::end(m_threadOfQueue), recorder->index, NoThread);
            m_ended.push_back(recorder->index);
            recorder.reset();
        }
    }
    m_isNews = m_isNews || m_busy;
    m_recorders.erase(std::remove(m_recorders.begin(), m_recorders.end(), nullptr),
                      m_recorders.end());
    m_pairing.endPass([this](const LatencyOutcome &outcome) {
        try {
            count(outcome);
        } catch (const std::bad_alloc &) {
            countStray(); // the others are settled all the same
        }
    });
    if (m_ended.size() > 2 * MostEnded)
        fold();
    if (m_trace) {
        m_trace->dropped(dropped(), unfinished());
        m_trace->memory(now());
        // Soon again while the reader takes what waits in the buffer.
        m_busy = m_trace->flush() || m_busy;
    }
}

// A program may start threads for ever, and each class of each thread takes 5 KB. So the numbers of all but the last
// threads that ended are added up, by class.
void QPoolLatencyCollector::fold()
{
    if (m_others == NoThread) {
        m_threads.push_back(QPoolThreadLatency::ofOthers());
        m_others = unsigned(m_threads.size() - 1);
    }
    const auto last = m_ended.end() - MostEnded;
    for (auto thread = m_ended.begin(); thread != last; ++thread) {
        QPoolThreadLatency &one = m_threads[*thread];
        one.folded = true;
        m_threads[m_others].add(one);
        one.posted = one.delivered = one.dropped = 0;
    }
    m_ended.erase(m_ended.begin(), last);
    for (auto row = m_events.begin(); row != m_events.end();) {
        if (!m_threads[row->first.thread].folded) {
            ++row;
            continue;
        }
        auto node = m_events.extract(row++);
        node.key().thread = m_others;
        if (const auto added = m_events.insert(std::move(node)); !added.inserted)
            added.position->second->add(*added.node.mapped());
    }
}

std::vector<quint64> QPoolLatencyCollector::unfinishedByThread() const
{
    std::vector<quint64> result(m_threads.size());
    for (unsigned queue = 1; queue < QPool::LatencyPairing::QueueCount; ++queue) {
        if (m_threadOfQueue[queue] != NoThread)
            result[m_threadOfQueue[queue]] += m_pairing.unfinishedOf(quint8(queue));
    }
    return result;
}

void QPoolLatencyCollector::takeNew()
{
    std::vector<std::unique_ptr<QPoolLatencyRecorder>> recorders;
    {
        const std::lock_guard<std::mutex> lock(m_rings);
        recorders.swap(m_new);
    }
    for (std::unique_ptr<QPoolLatencyRecorder> &recorder : recorders) {
        recorder->index = unsigned(m_threads.size());
        QPoolThreadLatency thread;
        thread.id = recorder->thread;
        thread.name = recorder->threadName;
        m_threads.push_back(thread);
        if (m_trace)
            m_trace->thread(recorder->index, thread.id, thread.name);
        m_recorders.push_back(std::move(recorder));
    }
}

void QPoolLatencyCollector::drain(QPoolLatencyRecorder &recorder)
{
    // At most what the ring holds, so that a thread that pushes faster cannot keep this one here.
    LatencyRecord records[256];
    for (std::size_t left = QPoolLatencyRecorder::Capacity; left != 0;) {
        const std::size_t count =
                recorder.ring.tryPopBatch(records, (std::min)(left, std::size(records)));
        if (count == 0)
            return;
        for (std::size_t i = 0; i < count; ++i) {
            m_pairing.add(records[i], recorder.index);
            if (records[i].kind == LatencyRecord::Delivered && records[i].queue != 0)
                m_threadOfQueue[records[i].queue] = recorder.index;
        }
        m_busy = true;
        left -= count;
    }
}

// For an event that was not delivered only the receiver's first word is known, from the post: a receiver
// that is being destroyed has become a QObject since. Its class is that of a delivery to the same first
// word, even a later one, or the name that the module exports.
quint32 QPoolLatencyCollector::classOf(const LatencyOutcome &outcome, QPoolClassNames::Parts delivered)
{
    if (outcome.hasEnd && outcome.end.kind == LatencyRecord::Delivered) {
        if (outcome.hasPost)
            learnClass(outcome.post.other, delivered.classId);
        return delivered.classId;
    }
    const quint64 word = outcome.hasPost ? outcome.post.other : outcome.end.other;
    if (word == 0)
        return 0;
    if (const auto known = m_firstWords.find(word); known != m_firstWords.end())
        return known->second.classId;
    const std::string name = nameOfVtable(quintptr(word));
    const bool certain = !name.empty();
    char unknown[32];
    std::snprintf(unknown, sizeof(unknown), "class at 0x%llx", static_cast<unsigned long long>(word));
    QPoolClassNames &names = QPoolClassNames::instance();
    const quint32 id = certain ? names.find(name.c_str()).id : names.add(unknown);
    m_firstWords.emplace(word, FirstWord { id, certain });
    return id;
}

void QPoolLatencyCollector::learnClass(quint64 firstWord, quint32 classId)
{
    const auto [place, isNew] = m_firstWords.try_emplace(firstWord, FirstWord { classId, true });
    if (isNew || place->second.certain)
        return;
    const std::string name = QPoolClassNames::instance().name(classId);
    QPoolClassNames::instance().rename(place->second.classId, name);
    if (m_trace)
        m_trace->className(place->second.classId, name);
    place->second = { classId, true };
}

void QPoolLatencyCollector::count(const LatencyOutcome &outcome)
{
    const LatencyRecord &post = outcome.post;
    const LatencyRecord &end = outcome.end;
    const bool delivered = outcome.hasEnd && end.kind == LatencyRecord::Delivered;
    const quint16 type = outcome.hasPost ? post.type : end.type;
    const unsigned thread = placeOf(outcome.hasEnd ? outcome.endThread : outcome.postThread);
    QPoolClassNames::Parts names { end.name, 0 };
    if (delivered && type == QEvent::MetaCall)
        names = QPoolClassNames::instance().partsOf(end.name);
    const quint32 classId = classOf(outcome, names);
    const quint32 signal = outcome.hasPost ? post.name : 0;
    m_isNews = true;

    std::unique_ptr<QPoolEventLatency> &place = m_events[{ classId, type, thread, signal, names.slot }];
    if (!place)
        place = std::make_unique<QPoolEventLatency>();
    QPoolEventLatency &latency = *place;

    QPoolLatencyTrace::EventMessage message = {};
    message.classId = classId;
    message.signal = signal;
    message.slot = names.slot;
    message.type = type;
    message.thread = outcome.hasEnd ? outcome.endThread : outcome.postThread;
    message.postThread = outcome.postThread;
    if (outcome.hasPost) {
        ++m_threads[placeOf(outcome.postThread)].posted;
        message.posted = m_rate.toNanoseconds(post.time);
    }
    if (outcome.hasEnd) {
        message.end = m_rate.toNanoseconds(end.time);
        message.begin = delivered ? m_rate.toNanoseconds(end.other) : message.end;
    } else {
        message.begin = message.end = message.posted;
    }

    if (delivered) {
        ++latency.delivered;
        ++m_threads[thread].delivered;
        // Two consecutive readings of the clock may be a few ticks out of order.
        latency.run.add(message.end > message.begin ? message.end - message.begin : 0);
        if (outcome.hasPost)
            latency.wait.add(message.begin > message.posted ? message.begin - message.posted : 0);
        message.fate = QPoolLatencyTrace::Delivered;
    } else if (!outcome.hasEnd) {
        ++latency.lost;
        message.fate = QPoolLatencyTrace::Lost;
    } else if (end.kind == LatencyRecord::ReceiverDied) {
        ++latency.receiverDied;
        message.fate = QPoolLatencyTrace::ReceiverDied;
    } else if (end.kind == LatencyRecord::Compressed) {
        ++latency.compressed;
        message.fate = QPoolLatencyTrace::Compressed;
    } else {
        ++latency.removed;
        message.fate = QPoolLatencyTrace::Removed;
    }
    if (m_trace)
        m_trace->event(message);
}

} // namespace QEventLatency

QT_END_NAMESPACE
