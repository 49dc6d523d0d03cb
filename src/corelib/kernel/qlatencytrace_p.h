// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYTRACE_P_H
#define QLATENCYTRACE_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// Empty for other modules of Qt, which do not find the allocator's headers.
#if __has_include("qpoolglobal.h")

#include "os/qpoolowndescriptor.h"

#include <QtCore/qglobal.h>

#include <memory>
#include <string>
#include <vector>

QT_BEGIN_NAMESPACE

namespace QEventLatency {

/*
    Writes what became of each event to a socket, for ./qpool trace, which reads the same format
    (tools/trace/stream.py): a message is its kind, the length of the rest, and the rest, with numbers in
    the machine's own byte order.

    The process never waits for the reader. What the socket does not take at once stays in a buffer, and an
    event that finds the buffer full is only counted; where events are missing, the next message says how
    many. Names and totals are always buffered: there are no more of them than the collector itself keeps.
    At the end, what is left in the buffer goes to the tail, memory that the runner of ./qpool trace shares,
    and reads when the process is gone. Without a tail a line on stderr says how many events the reader did
    not get.

    Used by one thread at a time. After the reader has closed the socket, nothing more is written.
*/
class QPoolLatencyTrace
{
public:
    static constexpr char Magic[8] = { 'Q', 'P', 'L', 'A', 'T', '0', '0', '2' };
    enum Kind : quint32 { Class = 1, Type, Thread, Event, Dropped, End, Missing, Memory };
    enum Fate : quint8 { Delivered, Removed, ReceiverDied, Compressed, Lost };

    struct EventMessage
    {
        quint64 posted; // nanoseconds of the system's steady clock; 0 if not known
        quint64 begin;
        quint64 end; // if the event was not delivered, both are the time of its end
        quint32 classId;
        quint32 postThread;
        quint32 thread;
        quint32 signal; // of a queued call, as of a class; 0 if not known
        quint32 slot;
        quint16 type;
        quint8 fate;
        quint8 unused;
    };
    static_assert(sizeof(EventMessage) == 48);

    // The trace that the environment names: null if there is none, or if it names another process. A
    // program passes its environment on to the programs that it starts.
    static std::unique_ptr<QPoolLatencyTrace> fromEnvironment();
    ~QPoolLatencyTrace();

    void thread(quint32 index, quint64 id, const std::string &name);
    // Called again when another name becomes known.
    void className(quint32 id, const std::string &name);
    void event(const EventMessage &message);
    // Totals: \a unfinished events were posted and still wait, or their handlers run.
    void dropped(quint64 records, quint64 unfinished);
    // The process's memory at \a time, in nanoseconds. Called in each pass, it adds some samples a second.
    void memory(quint64 time);

    // Writes what the socket takes at once. Returns whether it took anything.
    bool flush();
    void end(quint64 time);

    // Events that are not in the trace, because the reader was too slow or is gone.
    quint64 missing() const noexcept { return m_events - m_buffered; }

    // Closes the socket and touches nothing else: for a child of fork(), in which the other members may be
    // in any state, as the parent's threads may have been changing them.
    void abandon() noexcept;

private:
    // Begins with the number of bytes that follow.
    struct Tail
    {
        char *memory = nullptr;
        std::size_t bytes = 0;
    };

    explicit QPoolLatencyTrace(int socket);
    static Tail mapTail(int file);
    bool isFull() const noexcept;
    void message(Kind kind, const void *data, std::size_t size, const std::string &text = {});
    void tellMissing(quint64 events);
    void tellTotals();
    void tellMemory(quint64 time);
    void forgetSent();
    bool fillTail() noexcept;

    QPool::Os::OwnDescriptor m_socket;
    bool m_isOpen = true;
    Tail m_tail;
    quint64 m_dropped = 0;
    quint64 m_unfinished = 0;
    bool m_areTotalsTold = true;
    quint64 m_events = 0; // all
    quint64 m_buffered = 0; // of them, were put into the buffer; less if it was lost with the reader
    quint64 m_sent = 0; // of these, were taken by the socket
    quint64 m_missingTold = 0;
    unsigned m_sinceFlush = 0; // events
    quint64 m_memoryTime = 0; // of the last sample
    std::vector<char> m_buffer;
    std::size_t m_sentBytes = 0; // of the buffer
    std::size_t m_firstUnsent; // where the first message begins of which not all is sent
    std::vector<bool> m_knownClasses;
    std::vector<bool> m_knownTypes;
};

// The name in QEvent::Type, or a number.
std::string nameOfEventType(quint32 type);

} // namespace QEventLatency

QT_END_NAMESPACE

#endif // __has_include("qpoolglobal.h")

#endif // QLATENCYTRACE_P_H
