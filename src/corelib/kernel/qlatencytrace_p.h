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
#if __has_include("stats/qpoollatencyrecord.h")

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

    Used by one thread at a time. After the reader has closed the socket, nothing more is written.
*/
class QPoolLatencyTrace
{
public:
    static constexpr char Magic[8] = { 'Q', 'P', 'L', 'A', 'T', '0', '0', '1' };
    enum Kind : quint32 { Class = 1, Type, Thread, Event, Dropped, End };
    enum Fate : quint8 { Delivered, Removed, ReceiverDied, Compressed, Lost };

    struct EventMessage
    {
        quint64 posted; // nanoseconds of the system's steady clock; 0 if not known
        quint64 begin;
        quint64 end; // if the event was not delivered, both are the time of its end
        quint32 classId;
        quint32 postThread;
        quint32 thread;
        quint16 type;
        quint8 fate;
        quint8 unused;
    };
    static_assert(sizeof(EventMessage) == 40);

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

    // Writes the buffered messages; waits for the reader.
    void flush();
    void end();

    // Closes the socket and touches nothing else: for a child of fork(), in which the other members may be
    // in any state, as the parent's threads may have been changing them.
    void abandon() noexcept;

private:
    QPoolLatencyTrace(int file, quint64 device, quint64 inode);
    void message(Kind kind, const void *data, std::size_t size, const std::string &text = {});

    int m_file; // -1 once there is none any more
    const quint64 m_device;
    const quint64 m_inode;
    quint64 m_dropped = 0;
    quint64 m_unfinished = 0;
    std::vector<char> m_buffer;
    std::vector<bool> m_knownClasses;
    std::vector<bool> m_knownTypes;
};

// The name in QEvent::Type, or a number.
std::string nameOfEventType(quint32 type);

} // namespace QEventLatency

QT_END_NAMESPACE

#endif // __has_include("stats/qpoollatencyrecord.h")

#endif // QLATENCYTRACE_P_H
