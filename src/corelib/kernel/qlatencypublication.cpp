// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qlatencypublication_p.h"

#include "os/qpoolenvironment.h"
#include "os/qpoolwishes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

using QPool::QPoolLatencySegmentHeader;
using QPool::QPoolLatencySegmentWriter;

QT_BEGIN_NAMESPACE

namespace QEventLatency {

namespace {

constexpr std::chrono::seconds Interval { 1 };
// With very many rows a text takes long: at most this part of the time.
constexpr int ShareOfTime = 20;

} // namespace

std::unique_ptr<QPoolLatencyPublication> QPoolLatencyPublication::fromEnvironment()
{
    const char *wishes = QPool::Os::environment("QT_POOL_ALLOCATOR");
    if (!wishes || !QPool::hasWish(wishes, "monitor") || !QPool::hasWish(wishes, "latency"))
        return nullptr;
    std::unique_ptr<QPoolLatencyPublication> result(new QPoolLatencyPublication);
    const auto pid = quint64(getpid());
    char name[64];
    std::snprintf(name, sizeof(name), "%s%llu", QPoolLatencySegmentHeader::NamePrefix,
                  static_cast<unsigned long long>(pid));
    char *memory = result->m_memory.create(name, QPoolLatencySegmentWriter::SegmentBytes);
    if (!memory || !result->m_memory.makeUsable(QPoolLatencySegmentWriter::bytesInUse(0))) {
        std::fprintf(stderr, "qpool: event latency is not published: there is no shared memory: %s\n",
                     std::strerror(errno));
        result->m_memory.discard();
        return nullptr;
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    result->m_writer.begin(
            memory, pid,
            quint64(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()));
    return result;
}

bool QPoolLatencyPublication::update(const QPoolLatencyCollector &collector)
{
    const Clock::time_point begun = Clock::now();
    if (begun < m_due)
        return false;
    QByteArray text = latencyJson(&collector, m_most);
    // One thread and one row always fit.
    while (std::size_t(text.size()) > QPoolLatencySegmentWriter::LargestText && m_most > 0) {
        m_most /= 2;
        text = latencyJson(&collector, m_most);
    }
    // Without memory the last text stays; the next attempt may succeed.
    const bool fits = std::size_t(text.size()) <= QPoolLatencySegmentWriter::LargestText
            && m_memory.makeUsable(QPoolLatencySegmentWriter::bytesInUse(std::size_t(text.size())));
    if (fits)
        m_writer.publish({ text.constData(), std::size_t(text.size()) });
    const Clock::duration took = Clock::now() - begun;
    m_due = begun + (std::max)(Clock::duration(Interval), ShareOfTime * took);
    return fits;
}

} // namespace QEventLatency

QT_END_NAMESPACE
