// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qlatencytrace_p.h"
#include "qlatencymemory_p.h"
#include "qlatencyrecorder_p.h"

#include "os/qpoolenvironment.h"
#include "os/qpoolsharedmemory.h"

#include <QtCore/qcoreevent.h>
#include <QtCore/qmetaobject.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

QT_BEGIN_NAMESPACE

namespace QEventLatency {

// With no more than this the buffer takes another event: what a million events a second need in a
// twelfth of a second.
static constexpr std::size_t MostBuffered = 4 << 20;
static constexpr unsigned EventsPerFlush = 4096;
static constexpr quint64 MemoryInterval = 20'000'000; // nanoseconds

#if defined(MSG_NOSIGNAL)
static constexpr int NoSignal = MSG_NOSIGNAL;
#else
static constexpr int NoSignal = 0; // fromEnvironment() set SO_NOSIGPIPE on the socket
#endif

std::string nameOfEventType(quint32 type)
{
    static const QMetaEnum types = QMetaEnum::fromType<QEvent::Type>();
    if (type != QEvent::User && type != QEvent::MaxUser) {
        if (const char *name = types.valueToKey(int(type)))
            return name;
    }
    return type < QEvent::User ? "type " + std::to_string(type)
                               : "User+" + std::to_string(type - QEvent::User);
}

std::unique_ptr<QPoolLatencyTrace> QPoolLatencyTrace::fromEnvironment()
{
    // <process>:<socket>, and :<file> if there is a tail
    const char *wish = QPool::Os::environment("QT_POOL_ALLOCATOR_TRACE");
    if (!wish)
        return nullptr;
    char *rest = nullptr;
    const long process = std::strtol(wish, &rest, 10);
    if (process != long(getpid()) || *rest != ':')
        return nullptr;
    const int socket = int(std::strtol(rest + 1, &rest, 10));
    const int file = *rest == ':' ? int(std::strtol(rest + 1, &rest, 10)) : -1;
    struct stat status;
    if (*rest != '\0' || fstat(socket, &status) != 0 || !S_ISSOCK(status.st_mode))
        return nullptr;
    // Not inherited by the programs that this one starts.
    fcntl(socket, F_SETFD, FD_CLOEXEC);
#if defined(SO_NOSIGPIPE)
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes));
#endif
    std::unique_ptr<QPoolLatencyTrace> result(new QPoolLatencyTrace(socket));
    result->m_tail = mapTail(file);
    return result;
}

QPoolLatencyTrace::QPoolLatencyTrace(int socket)
    : m_socket(socket), m_firstUnsent(sizeof(Magic))
{
    m_buffer.assign(std::begin(Magic), std::end(Magic));
}

QPoolLatencyTrace::~QPoolLatencyTrace()
{
    abandon();
    if (m_tail.memory)
        munmap(m_tail.memory, m_tail.bytes);
}

// Mapped now, so that no descriptor must be kept.
QPoolLatencyTrace::Tail QPoolLatencyTrace::mapTail(int file)
{
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    const std::size_t bytes = std::size_t(status.st_size);
    void *memory = MAP_FAILED;
    if (bytes > sizeof(quint64))
        memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return {};
#if defined(MADV_DONTFORK)
    madvise(memory, bytes, MADV_DONTFORK);
#endif
    return { static_cast<char *>(memory), bytes };
}

bool QPoolLatencyTrace::isFull() const noexcept
{
    return m_buffer.size() - m_sentBytes >= MostBuffered;
}

void QPoolLatencyTrace::message(Kind kind, const void *data, std::size_t size,
                                const std::string &text)
{
    if (!m_isOpen)
        return;
    const quint32 head[2] = { kind, quint32(size + text.size()) };
    // If there is no memory, all of the message is missing.
    const std::size_t place = m_buffer.size();
    m_buffer.resize(place + sizeof(head) + head[1]);
    char *to = m_buffer.data() + place;
    const auto append = [&to](const void *from, std::size_t bytes) {
        if (bytes != 0)
            std::memcpy(to, from, bytes);
        to += bytes;
    };
    append(head, sizeof(head));
    append(data, size);
    append(text.data(), text.size());
}

void QPoolLatencyTrace::thread(quint32 index, quint64 id, const std::string &name)
{
    const quint64 data[2] = { index, id };
    message(Thread, data, sizeof(data), name);
}

void QPoolLatencyTrace::className(quint32 id, const std::string &name)
{
    message(Class, &id, sizeof(id), name);
}

void QPoolLatencyTrace::event(const EventMessage &event)
{
    const quint64 missingBefore = missing();
    ++m_events; // if there is no memory for it, it is missing
    // A pass may have more events than the buffer has room for.
    if (++m_sinceFlush >= EventsPerFlush)
        flush();
    if (!m_isOpen || isFull())
        return;
    const auto isNew = [](std::vector<bool> &known, std::size_t number) {
        if (number >= known.size())
            known.resize(number + 1);
        const bool result = !known[number];
        known[number] = true;
        return result;
    };
    tellMissing(missingBefore);
    for (const quint32 name : { event.classId, event.signal, event.slot }) {
        if (isNew(m_knownClasses, name))
            className(name, QPoolClassNames::instance().name(name));
    }
    if (isNew(m_knownTypes, event.type)) {
        const quint32 type = event.type;
        message(Type, &type, sizeof(type), nameOfEventType(type));
    }
    message(Event, &event, sizeof(event));
    ++m_buffered;
}

void QPoolLatencyTrace::tellMissing(quint64 events)
{
    if (events == m_missingTold)
        return;
    message(Missing, &events, sizeof(events));
    m_missingTold = events;
}

void QPoolLatencyTrace::dropped(quint64 records, quint64 unfinished)
{
    if (records != m_dropped || unfinished != m_unfinished) {
        m_dropped = records;
        m_unfinished = unfinished;
        m_areTotalsTold = false;
    }
    // Later totals include these.
    if (!isFull())
        tellTotals();
}

void QPoolLatencyTrace::tellTotals()
{
    if (m_areTotalsTold)
        return;
    const quint64 data[2] = { m_dropped, m_unfinished };
    message(Dropped, data, sizeof(data));
    m_areTotalsTold = true;
}

void QPoolLatencyTrace::memory(quint64 time)
{
    if (time - m_memoryTime >= MemoryInterval && !isFull())
        tellMemory(time);
}

void QPoolLatencyTrace::tellMemory(quint64 time)
{
    const QPoolMemorySample sample = QPoolMemorySample::take();
    quint64 data[3 + QPoolMemorySample::MostDomains] = { time, sample.resident, sample.domainCount };
    std::copy_n(sample.live, sample.domainCount, data + 3);
    message(Memory, data, (3 + sample.domainCount) * sizeof(*data), sample.domains);
    m_memoryTime = time;
}

bool QPoolLatencyTrace::flush()
{
    m_sinceFlush = 0;
    if (!m_isOpen)
        return false;
    const std::size_t before = m_sentBytes;
    const int socket = m_socket.number();
    bool isGone = socket < 0;
    while (!isGone && m_sentBytes != m_buffer.size()) {
        // A reader that is gone must not end the program, and one that does not read must not stop it.
        const ssize_t written = send(socket, m_buffer.data() + m_sentBytes,
                                     m_buffer.size() - m_sentBytes, NoSignal | MSG_DONTWAIT);
        if (written > 0)
            m_sentBytes += std::size_t(written);
        else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS)
            break;
        else if (errno != EINTR)
            isGone = true;
    }
    const bool isTaken = m_sentBytes != before;
    forgetSent();
    if (isGone) {
        abandon();
        m_buffered = m_sent;
        std::vector<char>().swap(m_buffer);
        m_sentBytes = 0;
    }
    return isTaken;
}

// Counts the events that were sent, and removes all whole messages that were.
void QPoolLatencyTrace::forgetSent()
{
    quint32 head[2];
    while (m_firstUnsent + sizeof(head) <= m_sentBytes) {
        std::memcpy(head, m_buffer.data() + m_firstUnsent, sizeof(head));
        const std::size_t end = m_firstUnsent + sizeof(head) + head[1];
        if (end > m_sentBytes)
            break;
        m_sent += head[0] == Event;
        m_firstUnsent = end;
    }
    const std::size_t all = (std::min)(m_firstUnsent, m_sentBytes);
    m_buffer.erase(m_buffer.begin(), m_buffer.begin() + std::ptrdiff_t(all));
    m_firstUnsent -= all;
    m_sentBytes -= all;
}

void QPoolLatencyTrace::abandon() noexcept
{
    m_socket.close();
    m_isOpen = false;
}

void QPoolLatencyTrace::end(quint64 time)
{
    tellMissing(missing());
    tellTotals();
    tellMemory(time);
    message(End, nullptr, 0);
    flush();
    // Otherwise the reader learns from the stream what is missing.
    const bool isCutShort = !m_isOpen || (m_sentBytes != m_buffer.size() && !fillTail());
    if (isCutShort && m_sent != m_events) {
        std::fprintf(stderr,
                     "qpool: %llu of %llu events are not in the trace: its reader did not take them\n",
                     static_cast<unsigned long long>(m_events - m_sent),
                     static_cast<unsigned long long>(m_events));
    }
    abandon();
}

bool QPoolLatencyTrace::fillTail() noexcept
{
    const quint64 bytes = m_buffer.size() - m_sentBytes;
    if (!m_tail.memory || bytes > m_tail.bytes - sizeof(bytes)
        || !QPool::SharedMemory::populate(m_tail.memory, sizeof(bytes) + bytes)) {
        return false;
    }
    std::memcpy(m_tail.memory + sizeof(bytes), m_buffer.data() + m_sentBytes, bytes);
    std::memcpy(m_tail.memory, &bytes, sizeof(bytes));
    return true;
}

} // namespace QEventLatency

QT_END_NAMESPACE
