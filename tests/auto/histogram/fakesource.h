// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef FAKESOURCE_H
#define FAKESOURCE_H

#include "processfinder.h"
#include "segmentfinder.h"
#include "snapshotsource.h"

#include <QtCore/qmutex.h>
#include <QtCore/qthread.h>

#include <atomic>
#include <memory>

using namespace Qt::StringLiterals;

// The live objects in the programs of the tests.
inline ClassCensus sampleCensus()
{
    ClassCensus census;
    census.classes = { { u"heap"_s, u"(no class)"_s, {}, 9000, 540000 },
                       { u"object"_s, u"QTimer"_s, u"libQt6Core.so.6"_s, 120, 3840 },
                       { u"private"_s, u"QTimerPrivate"_s, u"libQt6Core.so.6"_s, 120, 19200 },
                       { u"heap"_s, u"QQuickRectangle"_s, u"libQt6Quick.so.6"_s, 40, 1920 },
                       { u"event"_s, u"QEvent (DeferredDelete)"_s, u"libQt6Core.so.6"_s, 2, 48 } };
    return census;
}

// A program of 40 MiB, half of it in the pool, that takes more than it shows.
inline MemoryReading sampleMemory()
{
    constexpr qint64 MiB = 1024 * 1024;
    MemoryReading memory;
    memory.owners = { { u"pool.event"_s, u"pool: events"_s, MiB },
                      { u"pool.object"_s, u"pool: objects"_s, 3 * MiB },
                      { u"pool.private"_s, u"pool: private parts of objects"_s, 6 * MiB },
                      { u"pool.heap"_s, u"pool: other blocks"_s, 8 * MiB },
                      { u"pool.free"_s, u"pool: free"_s, MiB },
                      { u"pool.metadata"_s, u"pool: its own records"_s, MiB },
                      { u"heap"_s, u"the rest of malloc: heap"_s, 2 * MiB },
                      { u"script.heap"_s, u"JavaScript: heap"_s, 5 * MiB },
                      { u"script.stack"_s, u"JavaScript: stacks"_s, MiB },
                      { u"code"_s, u"code made at run time, such as JavaScript's (JIT)"_s, 0 },
                      { u"files.shared"_s, u"files, as other processes have mapped them, too"_s, 11 * MiB },
                      { u"system"_s, u"the system's own"_s, MiB } };
    memory.beyond = { { u"scriptCopies"_s, u"second copy of the JavaScript heap, in files in memory"_s, 5 * MiB, false },
                      { u"graphics"_s, u"buffers of the graphics driver; mapped ones are above, too"_s, 0 },
                      { u"pageTables"_s, u"page tables"_s, MiB } };
    memory.hidden = 5 * MiB;
    memory.hiddenKnown = false;
    memory.notes = { u"The system tells the size of files in memory to the superuser only"_s };
    return memory;
}

// Timers that one object holds, as a program that leaks them has.
inline ObjectReading sampleObjects()
{
    ObjectReading reading;
    reading.objects = 120;
    reading.parents = { { 100, u"in 1 of class Session; most, 100, in 0x5583a75e2190 \"printer\""_s },
                        { 20, u"without a parent"_s } };
    reading.states = { { 3, u"wait for deleteLater"_s },
                       { 0, u"connections to their slots, in all"_s },
                       { 120, u"connections from their signals, in all"_s } };
    reading.threads = { { 120, u"thread 4242 \"main\""_s } };
    reading.newest = { { u"0x5583a75e3000 \"reply-timeout\""_s,
                         u"0 children, 0 connections in, 1 out, thread 4242 \"main\""_s,
                         { u"Session \"printer\" 0x5583a75e2190"_s, u"QApplication 0x7ffe3000"_s } } };
    reading.largest = { { u"0x5583a75e4000"_s, u"2 children, 0 connections in, 9 out, thread 4242 \"main\""_s, {} } };
    return reading;
}

// A program that keeps what one function allocates, and frees what another does.
inline HeapReading sampleHeap()
{
    constexpr qreal MiB = 1024 * 1024;
    HeapReading reading;
    reading.interval = 512 * 1024;
    reading.samples = 668;
    reading.inUse = 20 * MiB;
    reading.allocated = 334 * MiB;
    reading.sites = { { u"insert"_s, u"Cache::insert (cache.cpp:41)"_s, u"MainWindow::open (mainwindow.cpp:120)"_s,
                        true, u"Entry"_s, 25, 12.5 * MiB, 12.5 * MiB },
                      { u"line"_s, u"Reader::line (reader.cpp:17)"_s, u"Cache::insert (cache.cpp:38)"_s, false, {}, 15,
                        7.5 * MiB, 58 * MiB },
                      { u"token"_s, u"Reader::token (reader.cpp:44)"_s, {}, true, {}, 0, 0, 263.5 * MiB } };
    reading.stacks = { { {}, -1, 20 * MiB, 334 * MiB },
                       { u"main"_s, 0, 20 * MiB, 334 * MiB },
                       { u"MainWindow::open"_s, 1, 20 * MiB, 70.5 * MiB },
                       { u"Cache::insert"_s, 2, 20 * MiB, 70.5 * MiB },
                       { u"Reader::line"_s, 3, 7.5 * MiB, 58 * MiB },
                       { u"Reader::token"_s, 1, 0, 263.5 * MiB } };
    return reading;
}

// Its functions are called in another thread than the test's.
class FakeInspector : public Inspector
{
public:
    MemoryReading memory() override
    {
        const QMutexLocker lock(&m_lock);
        ++memoryReadings;
        lastThread = QThread::currentThread();
        return m_memory;
    }
    ObjectReading objects(const QString &type) override
    {
        const QMutexLocker lock(&m_lock);
        ++objectReadings;
        lastType = type;
        return m_objects;
    }
    HeapReading heap(const QString &) override
    {
        const QMutexLocker lock(&m_lock);
        ++heapReadings;
        return m_heap;
    }
    QString setSampled(bool sampled) override
    {
        const QMutexLocker lock(&m_lock);
        m_heap.interval = sampled ? 512 * 1024 : 0;
        return problem;
    }
    void setObjects(const ObjectReading &objects)
    {
        const QMutexLocker lock(&m_lock);
        m_objects = objects;
    }
    void setHeap(const HeapReading &heap)
    {
        const QMutexLocker lock(&m_lock);
        m_heap = heap;
    }
    void setMemory(const MemoryReading &memory)
    {
        const QMutexLocker lock(&m_lock);
        m_memory = memory;
    }

    std::atomic<int> memoryReadings { 0 };
    std::atomic<int> objectReadings { 0 };
    std::atomic<int> heapReadings { 0 };
    std::atomic<QThread *> lastThread { nullptr };
    QString lastType; // of objects; set before they are counted
    QString problem; // of switching; set while nothing is read

private:
    QMutex m_lock;
    MemoryReading m_memory = sampleMemory();
    ObjectReading m_objects = sampleObjects();
    HeapReading m_heap = sampleHeap();
};

// The data that a fake source returns; the test changes it.
struct FakeAnswers
{
    SnapshotSource::Reading reading;
    ClassCensus census = sampleCensus();
    LatencyReading latency;
    std::shared_ptr<FakeInspector> inspector = std::make_shared<FakeInspector>();
    int reads = 0;
    int censuses = 0;
    int trims = 0;

    void become(SnapshotSource::Status status, const QString &message = {},
                const QByteArray &json = {})
    {
        reading = { status, json, message };
    }
};

class FakeSource : public SnapshotSource
{
public:
    FakeSource(Kind kind, const QString &title, std::shared_ptr<FakeAnswers> answers)
        : m_kind(kind)
        , m_title(title)
        , m_answers(std::move(answers))
    {
    }

    Kind kind() const override { return m_kind; }
    QString title() const override { return m_title; }
    Reading read() override
    {
        ++m_answers->reads;
        return m_answers->reading;
    }
    ClassCensus census() override
    {
        ++m_answers->censuses;
        return m_answers->census;
    }
    LatencyReading latency() override { return m_answers->latency; }
    std::shared_ptr<Inspector> inspector() override { return m_answers->inspector; }
    bool canTrim() const override { return m_kind == Kind::Own; }
    void trim() override { ++m_answers->trims; }

private:
    Kind m_kind;
    QString m_title;
    std::shared_ptr<FakeAnswers> m_answers;
};

// A process finder that returns the processes of the test.
struct FakeProcesses
{
    QList<PublishedProcess> list;
    std::shared_ptr<FakeAnswers> answers = std::make_shared<FakeAnswers>();
    qint64 opened = 0;
};

class FakeFinder : public ProcessFinder
{
public:
    explicit FakeFinder(FakeProcesses *processes)
        : m_processes(processes)
    {
    }

    QList<PublishedProcess> find() override { return m_processes->list; }
    std::unique_ptr<SnapshotSource> open(qint64 pid) override
    {
        m_processes->opened = pid;
        return std::make_unique<FakeSource>(SnapshotSource::Kind::Process, u"designer"_s,
                                            m_processes->answers);
    }

private:
    FakeProcesses *m_processes;
};

// A segment finder that returns the segments of the test.
class FakeSegments : public SegmentFinder
{
public:
    explicit FakeSegments(const QList<ListedSegment> *list)
        : m_list(list)
    {
    }

    QList<ListedSegment> find() override { return *m_list; }

private:
    const QList<ListedSegment> *m_list;
};

#endif // FAKESOURCE_H
