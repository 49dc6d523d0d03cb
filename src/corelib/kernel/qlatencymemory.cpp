// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qlatencymemory_p.h"

#if QT_CONFIG(pool_allocator)
#  include "qpooldomains_p.h"
#endif

#include <cstdio>
#include <iterator>

#include <fcntl.h>
#include <unistd.h>

QT_BEGIN_NAMESPACE

namespace QEventLatency {

static quint64 residentBytes() noexcept
{
    quint64 pages = 0;
#if defined(Q_OS_LINUX)
    // Opened each time: a program may close the descriptors that it does not know.
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    char text[128] = {};
    const ssize_t length = ::read(file, text, sizeof(text) - 1);
    ::close(file);
    unsigned long long resident = 0;
    if (length > 0 && std::sscanf(text, "%*u %llu", &resident) == 1)
        pages = resident;
#endif
    return pages * quint64(sysconf(_SC_PAGESIZE));
}

QPoolMemorySample QPoolMemorySample::take()
{
    QPoolMemorySample sample;
    sample.resident = residentBytes();
#if QT_CONFIG(pool_allocator)
    static_assert(MostDomains == std::size(QPool::ProcessDomains));
    if (QPoolDomains::Pools::isDisabled())
        return sample;
    sample.domainCount = QPool::processDomainCount();
    for (unsigned i = 0; i < sample.domainCount; ++i) {
        const QPool::PublishedDomain &domain = QPool::ProcessDomains[i];
        for (unsigned bin = domain.firstBin; bin < domain.firstBin + domain.binCount; ++bin) {
            sample.live[i] += QPoolDomains::Pools::statistics(bin).live()
                    * QPoolDomains::Layout::chunkSize(bin);
        }
        sample.domains += i ? "," : "";
        sample.domains += domain.name;
    }
#endif
    return sample;
}

} // namespace QEventLatency

QT_END_NAMESPACE
