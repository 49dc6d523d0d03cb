// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qlatencytrace_p.h"
#include "qlatencyrecorder_p.h"

#include <QtCore/qcoreevent.h>
#include <QtCore/qmetaobject.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

QT_BEGIN_NAMESPACE

namespace QEventLatency {

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
    // <process>:<descriptor>
    const char *wish = std::getenv("QT_POOL_ALLOCATOR_TRACE");
    if (!wish)
        return nullptr;
    char *rest = nullptr;
    const long process = std::strtol(wish, &rest, 10);
    if (process != long(getpid()) || *rest != ':')
        return nullptr;
    const int file = int(std::strtol(rest + 1, &rest, 10));
    struct stat status;
    if (*rest != '\0' || fstat(file, &status) != 0 || !S_ISSOCK(status.st_mode))
        return nullptr;
    // Not inherited by the programs that this one starts.
    fcntl(file, F_SETFD, FD_CLOEXEC);
#if defined(SO_NOSIGPIPE)
    const int yes = 1;
    setsockopt(file, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof(yes));
#endif
    return std::unique_ptr<QPoolLatencyTrace>(
            new QPoolLatencyTrace(file, quint64(status.st_dev), quint64(status.st_ino)));
}

QPoolLatencyTrace::QPoolLatencyTrace(int file, quint64 device, quint64 inode)
    : m_file(file), m_device(device), m_inode(inode)
{
    m_buffer.assign(std::begin(Magic), std::end(Magic));
}

QPoolLatencyTrace::~QPoolLatencyTrace()
{
    abandon();
}

void QPoolLatencyTrace::message(Kind kind, const void *data, std::size_t size,
                                const std::string &text)
{
    if (m_file < 0)
        return;
    const quint32 head[2] = { kind, quint32(size + text.size()) };
    const auto append = [this](const void *from, std::size_t bytes) {
        const char *first = static_cast<const char *>(from);
        m_buffer.insert(m_buffer.end(), first, first + bytes);
    };
    append(head, sizeof(head));
    append(data, size);
    append(text.data(), text.size());
    if (m_buffer.size() >= 256 * 1024)
        flush();
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
    const auto isNew = [](std::vector<bool> &known, std::size_t number) {
        if (number >= known.size())
            known.resize(number + 1);
        const bool result = !known[number];
        known[number] = true;
        return result;
    };
    if (isNew(m_knownClasses, event.classId))
        className(event.classId, QPoolClassNames::instance().name(event.classId));
    if (isNew(m_knownTypes, event.type)) {
        const quint32 type = event.type;
        message(Type, &type, sizeof(type), nameOfEventType(type));
    }
    message(Event, &event, sizeof(event));
}

void QPoolLatencyTrace::dropped(quint64 records, quint64 unfinished)
{
    if (records == m_dropped && unfinished == m_unfinished)
        return;
    m_dropped = records;
    m_unfinished = unfinished;
    const quint64 data[2] = { records, unfinished };
    message(Dropped, data, sizeof(data));
}

void QPoolLatencyTrace::flush()
{
    // A program may close all descriptors that it does not know, and reuse this one for something else.
    struct stat status;
    if (m_file >= 0
        && (fstat(m_file, &status) != 0 || quint64(status.st_dev) != m_device
            || quint64(status.st_ino) != m_inode)) {
        m_file = -1;
    }
    const char *from = m_buffer.data();
    std::size_t left = m_buffer.size();
    while (left != 0 && m_file >= 0) {
        // A reader that is gone must not end the program.
        const ssize_t written = send(m_file, from, left, NoSignal);
        if (written > 0) {
            from += written;
            left -= std::size_t(written);
        } else if (errno != EINTR) {
            abandon();
        }
    }
    m_buffer.clear();
}

void QPoolLatencyTrace::abandon() noexcept
{
    if (m_file >= 0)
        close(m_file);
    m_file = -1;
}

void QPoolLatencyTrace::end()
{
    message(End, nullptr, 0);
    flush();
    abandon();
}

} // namespace QEventLatency

QT_END_NAMESPACE
