// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef TESTSEGMENT_H
#define TESTSEGMENT_H

#include "sharedmemory/qpoolsharedsegment.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include <pthread.h>
#include <unistd.h>

// A unique name, removed at the end.
class SegmentName
{
public:
    SegmentName()
    {
        static int count = 0;
        char text[64];
        std::snprintf(text, sizeof text, "test-%ld-%d", long(getpid()), ++count);
        m_name = text;
    }
    ~SegmentName() { QPool::SharedSegment::unlink(m_name.c_str()); }
    SegmentName(const SegmentName &) = delete;
    SegmentName &operator=(const SegmentName &) = delete;

    operator const char *() const { return m_name.c_str(); }
    std::string path() const { return "/dev/shm/qpool." + m_name; }

private:
    std::string m_name;
};

// Between processes. qemu has none for RISC-V.
inline bool hasRobustMutexes()
{
#if !defined(__linux__) && !defined(__FreeBSD__)
    return false;
#else
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_t mutex;
    const bool created = pthread_mutex_init(&mutex, &attributes) == 0;
    if (created)
        pthread_mutex_destroy(&mutex);
    pthread_mutexattr_destroy(&attributes);
    return created;
#endif
}

// Those that the system has.
inline std::vector<QPool::SharedLockKind> allLocks()
{
    std::vector<QPool::SharedLockKind> locks { QPool::SharedLockKind::None,
                                               QPool::SharedLockKind::Spin,
                                               QPool::SharedLockKind::Futex };
    if (hasRobustMutexes())
        locks.push_back(QPool::SharedLockKind::Robust);
    return locks;
}

inline const char *nameOf(QPool::SharedLockKind kind)
{
    static constexpr const char *names[] = { "None", "Spin", "Futex", "Robust" };
    return names[unsigned(kind)];
}

// A segment, and the name it has.
struct TestSegment
{
    explicit TestSegment(std::uint64_t bytes = 1 << 20,
                         QPool::SharedLockKind kind = QPool::SharedLockKind::Futex)
        : segment(QPool::SharedSegment::create(name, bytes, kind))
    {
        EXPECT_TRUE(segment) << QPool::errorText(QPool::SharedSegment::lastError());
    }
    SegmentName name;
    QPool::SharedSegment segment;
};

#define EXPECT_SOUND(segment) \
    do { \
        const char *problemFound = (segment).check(); \
        EXPECT_EQ(problemFound, nullptr) << problemFound; \
    } while (false)

#endif // TESTSEGMENT_H
