// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PUBLISHEDPOOL_H
#define PUBLISHEDPOOL_H

#include "pool/qsizedpoolallocator.h"
#include "qpoolmonitoredprocess.h"
#include "stats/qpoolpublishedpages.h"

#include <unistd.h>

// A pool that publishes, as QtCore's does: two domains of all size classes.
struct PublishedLayout
{
    static constexpr unsigned ClassCount = QPool::SizeClasses::Count;
    static constexpr unsigned BinCount = 2 * ClassCount;
    static constexpr std::size_t chunkSize(unsigned bin) noexcept
    {
        return QPool::SizeClasses::sizeOf(bin % ClassCount);
    }

    static bool isDisabled() noexcept
    {
        static constexpr QPool::PublishedDomain domains[] = { { "first", 0, ClassCount },
                                                              { "second", ClassCount,
                                                                ClassCount } };
        QPool::Publication::begin<PublishedLayout>({ "1.2.3", domains, 2, true });
        return false;
    }
};

using Published = QPool::PoolFront<PublishedLayout, QPool::MultiThreaded, QPool::PublishedPages>;

// The bin of a domain's class; equal to what Published takes.
constexpr unsigned binOf(unsigned domain, std::size_t size)
{
    return domain * PublishedLayout::ClassCount + QPool::SizeClasses::indexOf(size);
}

inline std::unique_ptr<QPool::MonitoredProcess> attachTo(pid_t pid, std::string *message = nullptr,
                                                         QPool::MonitoredProcess::Error *error = nullptr)
{
    std::string ownMessage;
    QPool::MonitoredProcess::Error ownError;
    return QPool::MonitoredProcess::attach(pid, error ? error : &ownError,
                                           message ? message : &ownMessage);
}

inline QPool::ClassStatistics classOf(const QPool::ProcessStatistics &statistics, unsigned domain,
                                      std::size_t size)
{
    for (const QPool::ClassStatistics &entry : statistics.domains.at(domain).classes) {
        if (entry.size == size)
            return entry;
    }
    return {};
}

#endif // PUBLISHEDPOOL_H
